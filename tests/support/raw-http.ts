import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { newId } from '#device/new-id.ts';

export interface RawCall {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string;
}
export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends exactly the given request: no client normalises the path, the headers or the body. */
export function sendRaw(url: string, { method, path, headers = {}, body }: RawCall): Promise<RawReply> {
  const { port, host } = new URL(url);
  const bytes = Buffer.from(body ?? '');
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          host,
          ...(body === undefined ? {} : { 'content-length': String(bytes.length) }),
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
            text: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    // The server stops reading a body that is too large. Its response has arrived by then, or never will.
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

export const digestField = (bytes: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The headers that every legitimate request of the app has. */
export const appHeaders = { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'earshot' };
const json = { ...appHeaders, 'content-type': 'application/json' };

export interface Caller {
  cookie: string;
  recordingId: string;
  uploadId: string;
  bearer: Record<string, string>;
  bytes: Buffer;
}

/** Creates a user with a take that has some bytes on the server. */
export async function createCaller(url: string): Promise<Caller> {
  const sendOrThrow = async (call: RawCall) => {
    const reply = await sendRaw(url, call);
    if (reply.status >= 300) throw new Error(`${call.method} ${call.path}: ${reply.status} ${reply.text}`);
    return reply;
  };
  const body = { email: `${newId()}@example.org`, password: 'a quiet harbour at dusk 7' };
  const signedUp = await sendOrThrow({
    method: 'POST',
    path: '/auth/signup',
    headers: json,
    body: JSON.stringify(body),
  });
  const cookie = String(signedUp.headers['set-cookie']).split(';')[0] ?? '';
  const [recordingId, uploadId] = [newId(), newId()];
  const registered = await sendOrThrow({
    method: 'PUT',
    path: `/api/recordings/${recordingId}`,
    headers: { ...json, cookie },
    body: JSON.stringify({
      title: 'The well',
      startedAt: '2026-11-21T09:00:00.000Z',
      timeZone: 'UTC',
      source: 'microphone',
      format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
    }),
  });
  const { upload }: { upload: { token: string } } = JSON.parse(registered.text);
  const bearer = { authorization: `Bearer ${upload.token}` };
  await sendOrThrow({
    method: 'PUT',
    path: `/api/uploads/${uploadId}`,
    headers: { ...json, ...bearer },
    body: JSON.stringify({ recordingId, stream: 'audio', segmentIndex: 0, startMs: 0, epoch: 1 }),
  });
  const bytes = Buffer.from('what was said');
  await sendOrThrow({
    method: 'PATCH',
    path: `/api/uploads/${uploadId}`,
    headers: {
      ...bearer,
      'content-type': 'application/partial-upload',
      'upload-offset': '0',
      'upload-epoch': '1',
      'content-digest': digestField(bytes),
    },
    body: bytes,
  });
  return { cookie, recordingId, uploadId, bearer, bytes };
}
