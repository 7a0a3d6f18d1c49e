import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hour, minute, second } from '#base/duration.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import {
  type ApiUnderTest,
  append,
  apiUnderTest,
  complete,
  finish,
  openUpload,
  type TestUser,
  problemOf,
  recordTake,
  startTake,
  sha256Of,
  type Take,
} from '#tests/support/api-under-test.ts';
import { newId } from '#tests/support/factories.ts';
import { startImport } from '#tests/support/import-file.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { soundBytes } from '#tests/support/sound-bytes.ts';

const reserveBytes = 1000;
const webm = readFileSync(new URL('../../../../tests/fixtures/speech-1961.webm', import.meta.url));

/** A store on a disk whose free space the test sets. */
class MeasuredStore extends MemoryBlobStore {
  freeBytes = 10 ** 9;
  /** Called before bytes are appended to a derived file. */
  beforeDerived: () => void = () => undefined;

  override async space() {
    return { freeBytes: this.freeBytes, totalBytes: 10 ** 12 };
  }

  override append(key: string, piece: { offsetBytes: number; bytes: Uint8Array }): Promise<number> {
    if (!/(audio|peaks)-\d{4}$/.test(key)) this.beforeDerived();
    return super.append(key, piece);
  }
}

async function serverOf(
  database: Database,
): Promise<{ api: ApiUnderTest; blobs: MeasuredStore; user: TestUser; setFree: (bytes: number) => void }> {
  const blobs = new MeasuredStore();
  const api = await apiUnderTest(database, blobs, { diskReserveBytes: reserveBytes });
  const setFree = (bytes: number): void => {
    blobs.freeBytes = bytes;
    api.clock.advance(second);
  };
  return { api, blobs, user: await api.signIn(), setFree };
}

/** Runs the jobs until none is due within two hours. */
async function runJobsForHours(api: ApiUnderTest): Promise<void> {
  for (let minutes = 0; minutes < 120; minutes += 10) {
    await api.runJobs();
    api.clock.advance(10 * minute);
  }
}

const stateOf = async (api: ApiUnderTest, user: TestUser, { recordingId }: Pick<Take, 'recordingId'>) =>
  (await api.as(user, { url: `/api/recordings/${recordingId}` })).json<{ state: string }>().state;

async function sendWebmImport(api: ApiUnderTest, user: TestUser): Promise<Take> {
  const { take } = await startImport(api, user, { name: 'speech.webm', bytes: webm });
  await append(api, take, { uploadId: take.audioId, offset: 0, bytes: webm });
  await complete(api, take, { uploadId: take.audioId, bytes: webm });
  await finish(api, take);
  return take;
}

const restoreOf = (sizeBytes: number) => ({
  title: 'Restored',
  startedAt: '2026-11-21T09:00:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
  timeZone: 'UTC',
  language: null,
  source: 'microphone',
  deviceLabel: null,
  people: [],
  tags: [],
  position: null,
  file: null,
  format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
  files: [
    {
      uploadId: newId(),
      stream: 'audio',
      index: 0,
      startMs: 0,
      container: 'ogg',
      sizeBytes,
      sha256: sha256Of(Buffer.of(1)),
    },
  ],
});

eachDatabase((_name, open) => {
  test('while the reserve is in use, imports, restores and exports are storage-full, but takes and notes continue', async () => {
    const { api, user, setFree } = await serverOf(await open());
    setFree(reserveBytes - 1);
    const { registered } = await startImport(api, user, { name: 'a.webm', bytes: webm });
    const restored = await api.as(user, {
      method: 'PUT',
      url: `/api/restores/recordings/${newId()}`,
      payload: restoreOf(10),
    });
    const exported = await api.as(user, { method: 'POST', url: '/api/exports/account' });
    expect(
      [registered, restored, exported].map((answer) => [
        answer.statusCode,
        problemOf(answer).code,
        answer.headers['retry-after'],
      ]),
    ).toEqual([
      [507, 'storage-full', '30'],
      [507, 'storage-full', '30'],
      [507, 'storage-full', '30'],
    ]);
    const take = await recordTake(api, user, 5);
    expect(await stateOf(api, user, take)).toBe('ready');
    const note = await api.as(user, {
      method: 'POST',
      url: `/api/recordings/${take.recordingId}/notes`,
      payload: { id: newId(), fromMs: 0, text: 'Still written' },
    });
    expect(note.statusCode).toBe(201);
  });

  const startsAt = (api: ApiUnderTest, agoMs: number) => ({
    startedAt: new Date(api.clock.nowMs() - agoMs).toISOString(),
  });

  test('X4: a take recorded earlier waits at the reserve, is stored once there is space, and a live one continues', async () => {
    const { api, user, setFree } = await serverOf(await open());
    const late = await startTake(api, user, startsAt(api, 12 * hour));
    const live = await startTake(api, user, startsAt(api, 0));
    const send = (take: Take, offset: number, sizeBytes = 500_000) =>
      append(api, take, { uploadId: take.audioId, offset, bytes: soundBytes(sizeBytes) });
    for (let offset = 0; offset < 5_000_000; offset += 500_000)
      expect((await send(late, offset)).statusCode).toBe(204);
    setFree(reserveBytes - 1);
    const rejected = await send(late, 5_000_000);
    expect([rejected.statusCode, problemOf(rejected).code]).toEqual([507, 'storage-full']);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      expect((await send(live, minutes * 500_000)).statusCode).toBe(204);
      api.clock.advance(minute);
    }
    setFree(10 ** 9);
    expect((await send(late, 5_000_000)).statusCode).toBe(204);
  });

  test('X4: the take of a user who is over the quota does not use the reserve', async () => {
    const { api, user, setFree } = await serverOf(await open());
    await api.database.queries.insertInto('quotas').values({ user_id: user.id, quota_bytes: 100 }).execute();
    const take = await startTake(api, user, startsAt(api, 0));
    const send = (offset: number, sizeBytes: number) =>
      append(api, take, { uploadId: take.audioId, offset, bytes: soundBytes(sizeBytes) });
    setFree(reserveBytes - 1);
    expect((await send(0, 100)).statusCode).toBe(204);
    const rejected = await send(100, 1);
    expect([rejected.statusCode, problemOf(rejected).code]).toEqual([507, 'storage-full']);
    setFree(10 ** 9);
    expect((await send(100, 1)).statusCode).toBe(204);
  });

  test('X4: a live take is finished beyond the quota, and one recorded earlier waits at it', async () => {
    const { api, user } = await serverOf(await open());
    await api.database.queries
      .insertInto('quotas')
      .values({ user_id: user.id, quota_bytes: 3_000_000 })
      .execute();
    const late = await startTake(api, user, startsAt(api, 12 * hour));
    const live = await startTake(api, user, startsAt(api, 0));
    const send = (take: Take, offset: number) =>
      append(api, take, { uploadId: take.audioId, offset, bytes: soundBytes(900_000) });
    for (const offset of [0, 900_000, 1_800_000]) expect((await send(late, offset)).statusCode).toBe(204);
    const rejected = await send(late, 2_700_000);
    expect([rejected.statusCode, problemOf(rejected).code]).toEqual([413, 'quota-exceeded']);
    for (const offset of [0, 900_000]) expect((await send(live, offset)).statusCode).toBe(204);
  });

  test('an import that would use the reserve is rejected before its bytes', async () => {
    const { api, user, setFree } = await serverOf(await open());
    setFree(reserveBytes + webm.length - 1);
    expect((await startImport(api, user, { name: 'a.webm', bytes: webm })).registered.statusCode).toBe(507);
    setFree(reserveBytes + webm.length);
    expect((await startImport(api, user, { name: 'a.webm', bytes: webm })).registered.statusCode).toBe(201);
  });

  test('an import in progress stops at the reserve and resumes once there is space', async () => {
    const { api, user, setFree } = await serverOf(await open());
    const { take } = await startImport(api, user, { name: 'a.webm', bytes: webm });
    expect(
      (await append(api, take, { uploadId: take.audioId, offset: 0, bytes: webm.subarray(0, 100) }))
        .statusCode,
    ).toBe(204);
    setFree(reserveBytes - 1);
    const rejected = await append(api, take, {
      uploadId: take.audioId,
      offset: 100,
      bytes: webm.subarray(100),
    });
    expect([rejected.statusCode, problemOf(rejected).code]).toEqual([507, 'storage-full']);
    setFree(reserveBytes);
    expect(
      (await append(api, take, { uploadId: take.audioId, offset: 100, bytes: webm.subarray(100) }))
        .statusCode,
    ).toBe(204);
    expect((await complete(api, take, { uploadId: take.audioId, bytes: webm })).statusCode).toBe(200);
  });

  test('processing an import waits for space, however long, and does not count as failed', async () => {
    const { api, user, setFree } = await serverOf(await open());
    const take = await sendWebmImport(api, user);
    setFree(0);
    await runJobsForHours(api);
    expect(await stateOf(api, user, take)).toBe('finishing');
    setFree(10 ** 9);
    api.clock.advance(hour);
    await api.runJobs();
    expect(await stateOf(api, user, take)).toBe('ready');
  });

  test('processing an import stops at the reserve, without treating its file as damaged', async () => {
    const { api, blobs, user, setFree } = await serverOf(await open());
    const take = await sendWebmImport(api, user);
    blobs.beforeDerived = () => {
      setFree(0);
    };
    await api.runJobs();
    expect([blobs.freeBytes, await stateOf(api, user, take)]).toEqual([0, 'finishing']);
    blobs.beforeDerived = () => undefined;
    setFree(10 ** 9);
    api.clock.advance(hour);
    await api.runJobs();
    expect((await api.as(user, { url: `/api/recordings/${take.recordingId}` })).json()).toMatchObject({
      state: 'ready',
      failureReason: null,
      damagedAt: null,
    });
  });

  test('a MediaRecorder take is repacked using the reserve', async () => {
    const { api, user, setFree } = await serverOf(await open());
    setFree(0);
    const recordingId = newId();
    const registered = await api.as(user, {
      method: 'PUT',
      url: `/api/recordings/${recordingId}`,
      payload: {
        title: 'T',
        startedAt: new Date(api.clock.nowMs()).toISOString(),
        timeZone: 'UTC',
        source: 'microphone',
        format: { container: 'ogg', codec: 'opus', sampleRateHz: 48_000, channels: 1 },
      },
    });
    const { token } = registered.json<{ upload: { token: string } }>().upload;
    const take = {
      recordingId,
      token,
      audioId: newId(),
      peaksId: newId(),
      bearer: { authorization: `Bearer ${token}` },
    };
    await openUpload(api, take, { uploadId: take.audioId, stream: 'audio', container: 'webm' });
    await append(api, take, { uploadId: take.audioId, offset: 0, bytes: webm });
    await complete(api, take, { uploadId: take.audioId, bytes: webm });
    await finish(api, take);
    await api.runJobs();
    expect(await stateOf(api, user, take)).toBe('ready');
  });

  test('an account export requested earlier is prepared once there is space', async () => {
    const { api, user, setFree } = await serverOf(await open());
    await recordTake(api, user);
    expect((await api.as(user, { method: 'POST', url: '/api/exports/account' })).statusCode).toBe(201);
    const state = async () =>
      (await api.as(user, { url: '/api/exports/account' })).json<{ export: { state: string } }>().export
        .state;
    setFree(0);
    await runJobsForHours(api);
    expect(await state()).toBe('preparing');
    setFree(10 ** 9);
    api.clock.advance(hour);
    await api.runJobs();
    expect(await state()).toBe('ready');
  });
});
