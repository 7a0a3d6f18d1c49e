import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { hour } from '#base/duration.ts';
import type { Share } from '#contract/shares.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { ShareM4aRow } from '#server/storage/database/share-tables.ts';
import { answerOf, rejection } from '#tests/support/accounts-under-test.ts';
import { type ApiUnderTest, apiOnSqlite, recordTake, type TestUser } from '#tests/support/api-under-test.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { changeShareOf, listener, share, tokenOf } from '#tests/support/sharing.ts';
import { m4aKeyOf } from './m4a-rendition.ts';

let api: ApiUnderTest;
let owner: TestUser;
let shared: Share;
/** Runs before a piece of M4A is written. */
let beforeWrite: (sizeBytes: number) => Promise<void>;
/** The keys at which M4A was stored, in order. */
let storedKeys: string[];

/** A store in which a test can act while M4A is being written. */
const watched = (): BlobStore =>
  new Proxy<BlobStore>(new MemoryBlobStore(), {
    get(blobs, name) {
      if (name === 'append')
        return async (...[key, piece]: Parameters<BlobStore['append']>) => {
          if (key.includes('-m4a')) await beforeWrite(piece.bytes.length);
          return blobs.append(key, piece);
        };
      if (name === 'move')
        return async (from: string, to: string) => {
          if (to.includes('-m4a')) storedKeys.push(to);
          return blobs.move(from, to);
        };
      const member: unknown = Reflect.get(blobs, name, blobs);
      return typeof member === 'function' ? (member.bind(blobs) as unknown) : member;
    },
  });

const get = (query = '') => listener(api).send('GET', `/s/${tokenOf(shared)}/audio?format=m4a${query}`);
const row = (): Promise<ShareM4aRow | undefined> =>
  api.database.queries.selectFrom('share_m4a').selectAll().executeTakeFirst();
const storedBytes = async (): Promise<number> =>
  (await api.database.queries.selectFrom('recordings').select('stored_bytes').executeTakeFirstOrThrow())
    .stored_bytes;

async function change(settings: object): Promise<void> {
  shared = answerOf<Share>(await changeShareOf({ api, user: owner }, shared, settings));
}

/** Starts a request, and returns it once its job is enqueued. */
async function requested(query = ''): Promise<{ response: ReturnType<typeof get> }> {
  const before = (await row())?.fingerprint;
  const response = get(query);
  // A change of the link ends the response.
  response.catch(() => {});
  while ((await row())?.fingerprint === before) await setImmediate();
  return { response };
}

/** Runs jobs until the request is answered. */
async function answered(response: ReturnType<typeof get>): ReturnType<typeof get> {
  let isAnswered = false;
  const answer = response.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await api.runJobs();
    await setImmediate();
  }
  return answer;
}

beforeEach(async () => {
  beforeWrite = async () => {};
  storedKeys = [];
  api = await apiOnSqlite(watched());
  owner = await api.signIn();
  const { recordingId } = await recordTake(api, owner, 20);
  shared = await share({ api, user: owner }, recordingId);
});

describe.skipIf(!hasFfmpeg)('the M4A of a link', () => {
  test('is never the one of a wider part that was being made when the link was narrowed', async () => {
    const withoutM4a = await storedBytes();
    let wideBytes = 0;
    const narrow = Promise.withResolvers<{ response: ReturnType<typeof get> }>();
    let isNarrow = false;
    const wide = await requested();
    beforeWrite = async (sizeBytes) => {
      if (!isNarrow) {
        isNarrow = true;
        await change({ toMs: 1000 });
        narrow.resolve(await requested());
      }
      if (storedKeys.length === 0) wideBytes += sizeBytes;
    };
    await api.runJobs();
    const file = await answered((await narrow.promise).response);
    expect([file.statusCode, file.rawPayload.length < wideBytes]).toEqual([200, true]);
    await expect(wide.response).rejects.toThrow('destroyed');
    const heads = await Promise.all(storedKeys.map((key) => api.blobs.head(key)));
    expect(heads.map((head) => head?.sizeBytes ?? null)).toEqual([null, file.rawPayload.length]);
    expect(await storedBytes()).toBe(withoutM4a + file.rawPayload.length);
  });

  test('does not fail because the one of another part failed', async () => {
    const narrow = Promise.withResolvers<{ response: ReturnType<typeof get> }>();
    let isNarrow = false;
    await requested();
    beforeWrite = async () => {
      if (isNarrow) return;
      isNarrow = true;
      await change({ toMs: 1000 });
      narrow.resolve(await requested());
      throw new ProblemError('conversion-failed');
    };
    await api.runJobs();
    expect((await answered((await narrow.promise).response)).statusCode).toBe(200);
  });

  test('replaces the one of the part that was shared before', async () => {
    const withoutM4a = await storedBytes();
    await answered((await requested()).response);
    await change({ toMs: 1000 });
    const file = await answered((await requested()).response);
    const heads = await Promise.all(storedKeys.map((key) => api.blobs.head(key)));
    expect(heads.map((head) => head?.sizeBytes ?? null)).toEqual([null, file.rawPayload.length]);
    expect(await storedBytes()).toBe(withoutM4a + file.rawPayload.length);
  });

  test('is made again if the link returns to a part whose job found another one', async () => {
    await requested();
    await change({ toMs: 1000 });
    await api.runJobs();
    expect(await row()).toMatchObject({ state: 'waiting' });
    await change({ toMs: null });
    expect((await answered(get())).statusCode).toBe(200);
  });

  test('leaves no file of a part that was replaced while a killed server was making it', async () => {
    await requested();
    const made = await row();
    const [{ id, recording_id: recordingId } = { id: '', recording_id: '' }] = await api.database.queries
      .selectFrom('shares')
      .select(['id', 'recording_id'])
      .execute();
    const key = m4aKeyOf({ id, recording_id: recordingId }, made?.fingerprint ?? '');
    const leftovers = [`${key}-streamed`, `${key}-unfinished`];
    for (const each of leftovers) await api.blobs.put(each, Buffer.alloc(10));
    await change({ toMs: 1000 });
    await api.runJobs();
    expect(await Promise.all(leftovers.map((each) => api.blobs.head(each)))).toEqual([null, null]);
  });

  test('is whole whatever length a request names', async () => {
    const whole = await answered((await requested()).response);
    const start = await answered(get('&until=2000'));
    expect([start.headers.etag, start.rawPayload.length]).toEqual([
      whole.headers.etag,
      whole.rawPayload.length,
    ]);
    expect(storedKeys).toHaveLength(1);
  });

  test('fails after some attempts that did not end with a problem', async () => {
    beforeWrite = () => Promise.reject(new Error('ffmpeg ended with 1.'));
    const first = await requested();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await row()).toMatchObject({ state: 'waiting' });
      await api.runJobs();
      api.clock.advance(hour);
    }
    expect(rejection(await first.response).code).toBe('conversion-failed');
    expect(rejection(await get()).code).toBe('conversion-failed');
  });
});
