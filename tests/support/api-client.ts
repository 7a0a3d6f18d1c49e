import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { uuidV7 } from '#base/uuid-v7.ts';
import { partialUploadMediaType } from '#contract/uploads-api.ts';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export const newId = (): string => uuidV7(Date.now(), randomBytes(16));
export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Call {
  method: string;
  path: string;
  headers?: Record<string, string | number>;
  body?: Uint8Array | undefined;
}

/** Calls the API as a client without a browser does, over keep-alive connections. */
export class ApiClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #url: URL;
  readonly #forwardedFor: Record<string, string>;
  cookie = '';

  /** `address` is sent as `X-Forwarded-For`, for a server with `TRUSTED_PROXY_HOPS=1`. */
  constructor(url: string, { address }: { address?: string } = {}) {
    this.#url = new URL(url);
    this.#forwardedFor = address === undefined ? {} : { 'x-forwarded-for': address };
  }

  send({ method, path, headers = {}, body }: Call): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.#url.port,
          method,
          path,
          agent: this.#agent,
          headers: {
            host: this.#url.host,
            ...this.#forwardedFor,
            ...(body ? { 'content-length': body.length } : {}),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
          });
          incoming.on('end', () => {
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: Buffer.concat(chunks),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Sends a request and retries it after the `Retry-After` delay, if that is at most 30 s. */
  async #sendInTime(call: Call): Promise<Reply> {
    for (;;) {
      const reply = await this.send(call);
      const retryAfterSeconds = Number(reply.headers['retry-after'] ?? Number.NaN);
      if (reply.status !== 429 || !(retryAfterSeconds <= 30)) return reply;
      await delay(retryAfterSeconds * 1000);
    }
  }

  /**
   * Sends JSON with the session cookie or a bearer token.
   * @throws Error for a status of 300 or above.
   */
  async json(
    method: string,
    path: string,
    { body, token }: { body?: unknown; token?: string } = {},
  ): Promise<unknown> {
    const reply = await this.#sendInTime({
      method,
      path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
        ...(token ? { authorization: `Bearer ${token}` } : { cookie: this.cookie }),
      },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body.toString()}`);
    const cookies = reply.headers['set-cookie'];
    if (Array.isArray(cookies)) this.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    return reply.body.length > 0 ? JSON.parse(reply.body.toString()) : null;
  }

  async signUp(): Promise<{ email: string; password: string }> {
    const user = { email: `bench-${newId()}@example.org`, password: 'a quiet harbour at dusk 7' };
    await this.json('POST', '/auth/signup', { body: user });
    return user;
  }

  /** Tries a password. Returns the answer whatever its status, and leaves the session of this client alone. */
  tryPassword(user: { email: string; password: string }): Promise<Reply> {
    return this.send({
      method: 'POST',
      path: '/auth/login',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
      },
      body: Buffer.from(JSON.stringify(user)),
    });
  }

  append(take: { uploadId: string; token: string; offsetBytes: number; bytes: Uint8Array }): Promise<Reply> {
    return this.send({
      method: 'PATCH',
      path: `/api/uploads/${take.uploadId}`,
      body: take.bytes,
      headers: {
        'content-type': partialUploadMediaType,
        authorization: `Bearer ${take.token}`,
        'upload-offset': take.offsetBytes,
        'upload-epoch': 1,
        'content-digest': `sha-256=:${createHash('sha256').update(take.bytes).digest('base64')}:`,
      },
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function tokenOf(reply: unknown): string {
  if (
    typeof reply === 'object' &&
    reply !== null &&
    'upload' in reply &&
    typeof reply.upload === 'object' &&
    reply.upload !== null &&
    'token' in reply.upload
  )
    return String(reply.upload.token);
  throw new Error('the response has no upload capability');
}

export interface Registered {
  recordingId: string;
  token: string;
}
export interface NewRecording {
  title: string;
  startedAt: Date;
  channels?: number;
}
export interface NewStream {
  stream: 'audio' | 'peaks';
  segmentIndex: number;
  startMs: number;
}
export interface OpenTake extends Registered {
  audioId: string;
  peaksId: string;
}

const aDayAgo = (): Date => new Date(Date.now() - 24 * 3_600_000);

/** Registers a recording from the microphone, which may exist. Returns its id and its upload capability. */
export async function registerRecording(
  client: ApiClient,
  { title, startedAt, channels = 1 }: NewRecording,
  recordingId = newId(),
): Promise<Registered> {
  const body = {
    title,
    startedAt: startedAt.toISOString(),
    timeZone: 'UTC',
    source: 'microphone',
    format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels },
  };
  return {
    recordingId,
    token: tokenOf(await client.json('PUT', `/api/recordings/${recordingId}`, { body })),
  };
}

/** Registers the recording of a take, whether or not the server still has it. */
export function registerAgain(client: ApiClient, { recordingId }: OpenTake): Promise<Registered> {
  return registerRecording(client, { title: 'Bench', startedAt: aDayAgo() }, recordingId);
}

/** Creates an upload of a take, whether or not the server still has it. Returns how many bytes the server has. */
export async function openedBytes(
  client: ApiClient,
  { recordingId, token }: Registered,
  { stream, uploadId }: { stream: NewStream['stream']; uploadId: string },
): Promise<number> {
  const body = { stream, recordingId, segmentIndex: 0, startMs: 0, epoch: 1 };
  const state = await client.json('PUT', `/api/uploads/${uploadId}`, { token, body });
  if (typeof state === 'object' && state !== null && 'offset' in state) return Number(state.offset);
  throw new Error('the response has no offset');
}

/** Opens the upload of one stream of a segment. Returns the upload's id. */
export async function openStream(
  client: ApiClient,
  { recordingId, token }: Registered,
  stream: NewStream,
): Promise<string> {
  const uploadId = newId();
  await client.json('PUT', `/api/uploads/${uploadId}`, { token, body: { ...stream, recordingId, epoch: 1 } });
  return uploadId;
}

/**
 * Registers a take with its two uploads, as the recorder does. By default it started a day ago, as one recorded
 * offline.
 */
export async function startTake(
  client: ApiClient,
  title = 'Bench',
  startedAt = aDayAgo(),
): Promise<OpenTake> {
  const registered = await registerRecording(client, { title, startedAt });
  const first = { segmentIndex: 0, startMs: 0 };
  return {
    ...registered,
    audioId: await openStream(client, registered, { stream: 'audio', ...first }),
    peaksId: await openStream(client, registered, { stream: 'peaks', ...first }),
  };
}

/** Sends a stream's bytes in requests of at most 1 MiB. */
export async function appendAll(
  client: ApiClient,
  upload: { uploadId: string; token: string },
  { bytes, fromByte = 0 }: { bytes: Uint8Array; fromByte?: number },
): Promise<void> {
  for (let offsetBytes = fromByte; offsetBytes < bytes.length; offsetBytes += 1024 * 1024) {
    const reply = await client.append({
      ...upload,
      offsetBytes,
      bytes: bytes.subarray(offsetBytes, Math.min(bytes.length, offsetBytes + 1024 * 1024)),
    });
    if (reply.status !== 204) throw new Error(`append returned ${reply.status} ${reply.body.toString()}`);
  }
}

/** Completes both streams and then finishes the recording, as Stop does. */
export async function sealTake(
  client: ApiClient,
  take: OpenTake,
  sealed: {
    audio: { lengthBytes: number; sha256: string };
    peaks: { lengthBytes: number; sha256: string };
    durationMs: number;
  },
): Promise<void> {
  await Promise.all([
    client.json('POST', `/api/uploads/${take.audioId}/complete`, {
      token: take.token,
      body: { ...sealed.audio, epoch: 1 },
    }),
    client.json('POST', `/api/uploads/${take.peaksId}/complete`, {
      token: take.token,
      body: { ...sealed.peaks, epoch: 1 },
    }),
  ]);
  await client.json('POST', `/api/recordings/${take.recordingId}/finish`, {
    token: take.token,
    body: { durationMs: sealed.durationMs, segmentCount: 1, gaps: [], pauses: [] },
  });
}

/** The bytes that a player gets. */
export async function playedBytes(client: ApiClient, recordingId: string): Promise<Buffer> {
  const { status, body } = await client.send({
    method: 'GET',
    path: `/api/recordings/${recordingId}/audio`,
    headers: { cookie: client.cookie },
  });
  if (status !== 200) throw new Error(`the audio of a recording was answered with ${status}`);
  return body;
}
