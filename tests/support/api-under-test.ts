import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';
import type { LiveEvent } from '#contract/events-api.ts';
import type { Problem } from '#contract/errors.ts';
import type { FinishRecording } from '#contract/recordings.ts';
import type { LiveHub } from '#server/features/live/live-hub.ts';
import type { HttpLogger } from '#server/http/app.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Transcriber } from '#server/transcribers/transcriber.ts';
import { cheapHash, composedServer, publicUrl } from './composed-server.ts';
import { freshDatabase } from './databases.ts';
import { newId, storeSession, storeUser } from './factories.ts';
import { fakeClock, type FakeClock } from './fake-clock.ts';
import { oggOfPackets } from './ogg-of-packets.ts';

export interface TestUser {
  id: string;
  cookie: string;
}

/** The composed server on a real database and a real disk, with sessions in memory. */
export interface ApiUnderTest {
  app: FastifyInstance;
  database: Database;
  blobs: BlobStore;
  clock: FakeClock;
  hub: LiveHub;
  events: (LiveEvent & { userId: string })[];
  signIn(role?: 'member' | 'admin'): Promise<TestUser>;
  expireSession(user: TestUser): void;
  /** Sends a request as this user's browser does. */
  as(user: TestUser | null, request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Runs every job that is due. */
  runJobs(): Promise<number>;
  /** Runs the work that the library does at every start of the server. */
  startLibrary(): Promise<void>;
  /** Ends and updates what listeners of links have open. */
  checkLinks(): Promise<void>;
  /** A newly started server on the same data. */
  restart(): Promise<ApiUnderTest>;
}

const expired = 'a session that has run out';
const neverMs = Date.UTC(2100, 0);
const sessionOfUser = (userId: string): string => `session-of-${userId}`;
const tokenHashOfUser = (userId: string): string => `token-of-${userId}`;

/** The operator's settings. `ffmpeg: false` hides ffmpeg from the server. */
export interface Installed {
  ffmpeg?: boolean;
  quotaBytes?: number;
  diskReserveBytes?: number;
  /** The addresses of the server and of links, if they are other ones. */
  publicUrl?: string;
  shareUrl?: string;
  /** Receives what the server logs. */
  logger?: HttpLogger;
  /** How many responses listeners of links may have open together. */
  maxShareStreams?: number;
  transcriber?: Transcriber;
}

interface Stores {
  database: Database;
  blobs: BlobStore;
  clock: FakeClock;
  sessions: Map<string, string>;
  /** Ids of the users who are administrators. */
  admins: Set<string>;
  installed: Installed;
}

function serve(stores: Stores): ApiUnderTest {
  const { database, blobs, clock, sessions, admins, installed } = stores;
  const { app, hub, events, runJobs, start, checkLinks } = composedServer({
    database,
    blobs,
    clock,
    ...(installed.logger === undefined ? {} : { logger: installed.logger }),
    maxShareStreams: installed.maxShareStreams ?? Infinity,
    transcriber: installed.transcriber ?? null,
    config: {
      quotaBytes: installed.quotaBytes ?? null,
      diskReserveBytes: installed.diskReserveBytes ?? 0,
      publicUrl: installed.publicUrl ?? publicUrl,
      shareUrl: installed.shareUrl ?? null,
      searchPath: installed.ffmpeg === false ? '' : (process.env['PATH'] ?? ''),
    },
    overrides: {
      hashCost: cheapHash,
      async identifySession({ cookieToken }) {
        const userId = sessions.get(cookieToken ?? '');
        if (userId === undefined) return null;
        return userId === expired
          ? 'expired'
          : {
              kind: 'session',
              userId,
              role: admins.has(userId) ? 'admin' : 'member',
              sessionId: sessionOfUser(userId),
              tokenHash: tokenHashOfUser(userId),
              authTimeMs: clock.nowMs(),
            };
      },
    },
  });
  return {
    app,
    hub,
    events,
    database,
    blobs,
    clock,
    runJobs,
    checkLinks,
    async signIn(role = 'member') {
      const { id } = await storeUser(database.queries, { role });
      if (role === 'admin') admins.add(id);
      const cookie = randomBytes(12).toString('hex');
      sessions.set(cookie, id);
      await storeSession(database.queries, {
        id: sessionOfUser(id),
        token_hash: tokenHashOfUser(id),
        user_id: id,
        idle_expires_at: neverMs,
        absolute_expires_at: neverMs,
      });
      return { id, cookie };
    },
    expireSession: (user) => {
      sessions.set(user.cookie, expired);
    },
    as: (user, request) =>
      app.inject({
        ...request,
        headers: {
          origin: publicUrl,
          'x-requested-with': 'earshot',
          ...(user ? { cookie: `sid=${user.cookie}` } : {}),
          ...request.headers,
        },
      }),
    startLibrary: start,
    restart: async () => serve(stores),
  };
}

const fresh = (): Pick<Stores, 'clock' | 'sessions' | 'admins'> => ({
  clock: fakeClock(),
  sessions: new Map(),
  admins: new Set(),
});

/** Serves the features on this database, with an empty blob store or the given one. */
export async function apiUnderTest(
  database: Database,
  given?: BlobStore,
  installed: Installed = {},
): Promise<ApiUnderTest> {
  if (given !== undefined) return serve({ ...fresh(), database, blobs: given, installed });
  const directory = await mkdtemp(join(tmpdir(), 'earshot-blobs-'));
  const blobs = await openDiskBlobStore({ directory });
  onTestFinished(async () => {
    await blobs.close();
    await rm(directory, { recursive: true, force: true });
  });
  return serve({ ...fresh(), database, blobs, installed });
}

/** The same on a fresh SQLite database, for tests that do not depend on the database. */
export async function apiOnSqlite(given?: BlobStore, installed: Installed = {}): Promise<ApiUnderTest> {
  return apiUnderTest(await freshDatabase(), given, installed);
}

export const problemOf = (response: LightMyRequestResponse): Problem => response.json<Problem>();

export const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export const newTake = {
  title: 'Gespräch über 100 % Wolle',
  startedAt: '2026-11-21T09:00:00.000Z',
  timeZone: 'Europe/Berlin',
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
  source: 'microphone',
};

/** A user's running take: registered, with an open upload for each stream. */
export interface Take {
  recordingId: string;
  token: string;
  audioId: string;
  peaksId: string;
  bearer: Record<string, string>;
}

/** Registers a take, and chooses the ids of its streams without opening them. */
export async function registerTake(
  api: ApiUnderTest,
  user: TestUser,
  given: { startedAt?: string } = {},
): Promise<Take> {
  const [recordingId, audioId, peaksId] = [newId(), newId(), newId()];
  const registered = await api.as(user, {
    method: 'PUT',
    url: `/api/recordings/${recordingId}`,
    payload: { ...newTake, ...given },
  });
  const {
    upload: { token },
  } = registered.json<{ upload: { token: string } }>();
  return { recordingId, token, audioId, peaksId, bearer: { authorization: `Bearer ${token}` } };
}

/** Registers a take and opens the uploads of its first segment. */
export async function startTake(
  api: ApiUnderTest,
  user: TestUser,
  given: { startedAt?: string } = {},
): Promise<Take> {
  const take = await registerTake(api, user, given);
  await openUpload(api, take, { uploadId: take.audioId, stream: 'audio' });
  await openUpload(api, take, { uploadId: take.peaksId, stream: 'peaks' });
  return take;
}

export const openUpload = (
  api: ApiUnderTest,
  take: Take,
  upload: {
    uploadId: string;
    stream: 'audio' | 'peaks';
    segmentIndex?: number;
    epoch?: number;
    startMs?: number;
    container?: string;
  },
) =>
  api.app.inject({
    method: 'PUT',
    url: `/api/uploads/${upload.uploadId}`,
    headers: take.bearer,
    payload: {
      recordingId: take.recordingId,
      stream: upload.stream,
      segmentIndex: upload.segmentIndex ?? 0,
      startMs: upload.startMs ?? 0,
      epoch: upload.epoch ?? 1,
      ...(upload.container === undefined ? {} : { container: upload.container }),
    },
  });

export const append = (
  api: ApiUnderTest,
  take: Take,
  piece: {
    uploadId: string;
    offset: number;
    bytes: Uint8Array;
    epoch?: number;
    headers?: Record<string, string>;
  },
) =>
  api.app.inject({
    method: 'PATCH',
    url: `/api/uploads/${piece.uploadId}`,
    payload: Buffer.from(piece.bytes),
    headers: {
      ...take.bearer,
      'content-type': 'application/partial-upload',
      'upload-offset': String(piece.offset),
      'upload-epoch': String(piece.epoch ?? 1),
      'content-digest': digestOf(piece.bytes),
      ...piece.headers,
    },
  });

export const complete = (
  api: ApiUnderTest,
  take: Take,
  upload: { uploadId: string; bytes: Uint8Array; epoch?: number },
) =>
  api.app.inject({
    method: 'POST',
    url: `/api/uploads/${upload.uploadId}/complete`,
    headers: take.bearer,
    payload: { lengthBytes: upload.bytes.length, sha256: sha256Of(upload.bytes), epoch: upload.epoch ?? 1 },
  });

export const finish = (
  api: ApiUnderTest,
  take: Take,
  given: Partial<Pick<FinishRecording, 'durationMs' | 'segmentCount' | 'microphoneSilenceMs'>> = {},
) =>
  api.app.inject({
    method: 'POST',
    url: `/api/recordings/${take.recordingId}/finish`,
    headers: take.bearer,
    payload: { durationMs: 2000, segmentCount: 1, gaps: [], pauses: [], ...given },
  });

/** Opus silence as Ogg pages, two seconds by default, header pages first, as a device sends it. */
export function oggOfSilence(seconds = 2): Buffer {
  return oggOfPackets(
    Array.from({ length: seconds * 50 }, () => Uint8Array.of(0xf8, 0xff, 0xfe)),
    { samples: seconds * 48_000 - 312 },
  );
}

/** Peaks of `seconds` seconds, a hundred points each: minimum −40, maximum 40. */
export const peaksOf = (seconds = 2): Buffer =>
  Buffer.from(Int8Array.from({ length: seconds * 200 }, (_, index) => (index % 2 === 0 ? -40 : 40)).buffer);

/** Records a complete take: appends and completes both streams, finishes, and runs the jobs. */
export async function recordTake(
  api: ApiUnderTest,
  user: TestUser,
  seconds = 2,
): Promise<Take & { audio: Buffer }> {
  const take = await startTake(api, user);
  const [audio, peaks] = [oggOfSilence(seconds), peaksOf(seconds)];
  for (const [uploadId, bytes] of [
    [take.audioId, audio],
    [take.peaksId, peaks],
  ] as const) {
    await append(api, take, { uploadId, offset: 0, bytes });
    await complete(api, take, { uploadId, bytes });
  }
  await finish(api, take, { durationMs: seconds * 1000 });
  await api.runJobs();
  return { ...take, audio };
}
