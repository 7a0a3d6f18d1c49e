import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { minute, second } from '#base/duration.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import {
  BlobDamagedError,
  BlobSpaceError,
  type ByteRange,
  sealedEpoch,
} from '#server/storage/blobs/blob-store.ts';
import { SweptObjectError } from './unreferenced-objects.ts';

const key = 'recordings/0190f7a0-0000-7000-8000-000000000001/audio-0000';
const whole: ByteRange = { startByte: 0, endByteExclusive: Number.MAX_SAFE_INTEGER };
const allTails = { atBytes: 1, afterMs: 0, everyMs: 0 };
const mib = 1024 * 1024;
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const reasonOf = (work: Promise<unknown>): Promise<unknown> => work.catch((reason: unknown) => reason);

describe.skipIf(!hasPostgres)('the tiers of the tiered blob store', () => {
  const stores = tieredStores();
  let objects: MemoryObjectStore;

  beforeEach(async () => {
    await stores.clear();
    objects = new MemoryObjectStore();
  });

  it('continues appends, seals and small puts while the object store is unavailable, and moves tails after it', async () => {
    const { store, mover } = await stores.open({ objects });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('cold ') });
    await mover.moveDue(allTails);
    objects.isDown = true;
    await store.append(key, { offsetBytes: 5, bytes: Buffer.from('hot') });
    await store.put('recordings/other/peaks-0000', Buffer.from('small'));
    await store.ping();
    expect(Buffer.from(await store.read(key, { startByte: 5, endByteExclusive: 8 })).toString()).toBe('hot');
    expect(isUnavailableError(await reasonOf(store.read(key, whole)))).toBe(true);
    expect(isUnavailableError(await reasonOf(buffer(store.stream(key, whole))))).toBe(true);
    expect(isUnavailableError(await reasonOf(mover.moveDue(allTails)))).toBe(true);
    await store.fence(key, sealedEpoch, { sizeBytes: 8 });
    objects.isDown = false;
    expect(Buffer.from(await store.read(key, whole)).toString()).toBe('cold hot');
    expect(await mover.moveDue(allTails)).toBe(1);
  });

  it('rejects appends at the limit, before the database is full, and accepts them once tails have moved', async () => {
    const { store, mover } = await stores.open({ objects, limitBytes: 1000 });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: randomBytes(900) });
    expect(await store.space()).toEqual({ freeBytes: 100, totalBytes: 1000 });
    const error = await reasonOf(store.append(key, { offsetBytes: 900, bytes: randomBytes(101) }));
    expect(error).toBeInstanceOf(BlobSpaceError);
    expect(isNoSpaceError(error)).toBe(true);
    expect(await store.head(key)).toMatchObject({ sizeBytes: 900 });
    await mover.moveDue(allTails);
    expect(await store.space()).toEqual({ freeBytes: 1000, totalBytes: 1000 });
    expect(await store.append(key, { offsetBytes: 900, bytes: randomBytes(101) })).toBe(1001);
  });

  it('knows what waits for the object store, since when, and how many commits stored it', async () => {
    const { store, mover } = await stores.open({ objects });
    expect(await store.movingFigures()).toMatchObject({
      tailBytes: 0,
      oldestTailAtMs: null,
      appendCommits: 0,
    });
    const other = 'recordings/other/audio-0000';
    for (const each of [key, other]) await store.create(each);
    await store.append(key, { offsetBytes: 0, bytes: randomBytes(30) });
    const first = await store.head(key);
    await store.append(other, { offsetBytes: 0, bytes: randomBytes(12) });
    expect(await store.movingFigures()).toEqual({
      tailBytes: 42,
      oldestTailAtMs: first?.changedAtMs,
      appendCommits: 2,
      waitingForConnection: 0,
      requests: [],
    });
    while ((await mover.moveDue(allTails)) > 0);
    expect(await store.movingFigures()).toMatchObject({ tailBytes: 0, oldestTailAtMs: null });
  });

  it('counts the bytes that other servers have in rows', async () => {
    const one = await stores.open({ objects, limitBytes: 1000 });
    await one.store.create(key);
    await one.store.append(key, { offsetBytes: 0, bytes: randomBytes(900) });
    const other = await stores.open({ objects, limitBytes: 1000 });
    await expect(other.store.append(key, { offsetBytes: 900, bytes: randomBytes(101) })).rejects.toThrow(
      BlobSpaceError,
    );
  });

  it('moves only tails that are large or no longer grow', async () => {
    const { store, mover } = await stores.open({ objects });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: randomBytes(1000) });
    expect(await mover.moveDue({ atBytes: 1001, afterMs: minute, everyMs: minute })).toBe(0);
    expect(await mover.moveDue({ atBytes: 1000, afterMs: minute, everyMs: minute })).toBe(1);
    await store.append(key, { offsetBytes: 1000, bytes: randomBytes(10) });
    expect(await mover.moveDue({ atBytes: 1000, afterMs: 0, everyMs: minute })).toBe(1);
    expect(await mover.moveDue(allTails)).toBe(0);
    expect(objects.puts).toBe(2);
  });

  it('moves a tail that grows slowly, but not again soon', async () => {
    const { store, mover, database } = await stores.open({ objects });
    const slow = { atBytes: mib, afterMs: minute, everyMs: 30 * minute };
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: randomBytes(10) });
    expect(await mover.moveDue(slow)).toBe(0);
    await database.queries.query('update blobs set moved_at = moved_at - $1', [slow.everyMs]);
    expect(await mover.moveDue(slow)).toBe(1);
    await store.append(key, { offsetBytes: 10, bytes: randomBytes(10) });
    expect(await mover.moveDue(slow)).toBe(0);
  });

  it('composes one object of a sealed blob, and streams it unchanged meanwhile', async () => {
    const { store, mover, composer, unreferenced } = await stores.open({ objects });
    const bytes = randomBytes(5 * mib);
    await store.create(key);
    for (let offsetBytes = 0; offsetBytes < bytes.length; offsetBytes += mib) {
      await store.append(key, { offsetBytes, bytes: bytes.subarray(offsetBytes, offsetBytes + mib) });
      if (offsetBytes < 3 * mib) await mover.moveDue(allTails);
    }
    expect(objects.objects.size).toBe(3);
    expect(await composer.composeNext()).toBe(false);
    await store.fence(key, sealedEpoch, { sizeBytes: bytes.length });
    const reading = store.stream(key, whole)[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>;
    const parts = [(await reading.next()).value as Uint8Array];
    expect(await composer.composeNext()).toBe(true);
    expect(await composer.composeNext()).toBe(false);
    for await (const part of reading) parts.push(part);
    expect(digest(Buffer.concat(parts))).toBe(digest(bytes));
    await unreferenced.sweep({ graceMs: -second, againAfterMs: -second });
    const [[name, stored] = ['', Buffer.alloc(0)], ...others] = [...objects.objects];
    expect(others).toEqual([]);
    expect(name.startsWith(`${key}.`)).toBe(true);
    expect(digest(stored)).toBe(digest(bytes));
    expect(digest(await store.read(key, whole))).toBe(digest(bytes));
  });

  it('composes a blob that is larger than one part', async () => {
    const { store, composer } = await stores.open({ objects });
    const [sizeBytes, piece] = [33 * mib, randomBytes(3 * mib)];
    await store.create(key);
    for (let offsetBytes = 0; offsetBytes < sizeBytes; offsetBytes += piece.length)
      await store.append(key, { offsetBytes, bytes: piece });
    await store.fence(key, sealedEpoch, { sizeBytes });
    expect(await composer.composeNext()).toBe(true);
    expect([...objects.objects.values()].map((stored) => stored.length)).toEqual([sizeBytes]);
    expect(digest(await buffer(store.stream(key, whole)))).toBe(
      digest(Buffer.concat(Array.from({ length: 11 }, () => piece))),
    );
  });

  it('keeps the pieces when the object store returns other bytes than it was sent', async () => {
    const { store, composer } = await stores.open({ objects });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('the truth') });
    await store.fence(key, sealedEpoch);
    const put = objects.put.bind(objects);
    vi.spyOn(objects, 'put').mockImplementation((name) => put(name, Buffer.from('a lie')));
    await expect(composer.composeNext()).rejects.toThrow('returns other bytes');
    expect(Buffer.from(await store.read(key, whole)).toString()).toBe('the truth');
  });

  it('says that a blob is damaged whose object is missing or too short, and composes the others', async () => {
    const { store, mover, composer } = await stores.open({ objects });
    const keys = ['recordings/a/audio-0000', 'recordings/b/audio-0000', 'recordings/c/audio-0000'];
    for (const each of keys) {
      await store.create(each);
      await store.append(each, { offsetBytes: 0, bytes: Buffer.from('cold ') });
      await mover.moveDue(allTails);
      await store.append(each, { offsetBytes: 5, bytes: Buffer.from('hot') });
      await store.fence(each, sealedEpoch);
    }
    const [missing = '', short = ''] = objects.objects.keys();
    objects.objects.delete(missing);
    objects.objects.set(short, Buffer.from('co'));
    for (const each of keys.slice(0, 2)) {
      expect(await reasonOf(store.read(each, whole))).toBeInstanceOf(BlobDamagedError);
      expect(await reasonOf(buffer(store.stream(each, whole)))).toBeInstanceOf(BlobDamagedError);
      expect(Buffer.from(await store.read(each, { startByte: 5, endByteExclusive: 8 })).toString()).toBe(
        'hot',
      );
    }
    while (await composer.composeNext());
    expect([...objects.objects.values()].map(String)).toContain('cold hot');
  });

  it('says that a blob is damaged whose rows are missing', async () => {
    const { store } = await stores.open({ objects });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('hot') });
    await stores.query('delete from blob_pieces');
    expect(await reasonOf(store.read(key, whole))).toBeInstanceOf(BlobDamagedError);
  });

  it('lets another server continue from the note, without reading a byte', async () => {
    const one = await stores.open({ objects });
    await one.store.create(key);
    const notes = { first: Buffer.from('first'), second: Buffer.from('second') };
    await one.store.append(key, { offsetBytes: 0, bytes: randomBytes(mib), epoch: 1, note: notes.first });
    await one.mover.moveDue(allTails);
    await one.store.append(key, { offsetBytes: mib, bytes: randomBytes(10), epoch: 1, note: notes.second });
    objects.isDown = true;
    const { store } = await stores.open({ objects });
    expect(await store.tail(key)).toEqual({
      sizeBytes: mib + 10,
      note: { atBytes: mib + 10, bytes: notes.second },
    });
    expect(await store.append(key, { offsetBytes: mib + 10, bytes: randomBytes(1), epoch: 2 })).toBe(
      mib + 11,
    );
  });

  it('commits the appends of many blobs together', async () => {
    const { store, batcher } = await stores.open({ objects });
    const keys = Array.from({ length: 400 }, (_, index) => `recordings/many/audio-${index}`);
    await Promise.all(keys.map((each) => store.create(each)));
    await Promise.all(keys.map((each) => store.append(each, { offsetBytes: 0, bytes: Buffer.from(each) })));
    expect(batcher.appendsPerBatch).toBeGreaterThan(50);
    for (const each of keys) expect(Buffer.from(await store.read(each, whole)).toString()).toBe(each);
  });

  it('stores the other appends of a batch in which one has the wrong offset', async () => {
    const { store } = await stores.open({ objects });
    const keys = ['recordings/a', 'recordings/b', 'recordings/c'];
    for (const each of keys) await store.create(each);
    const results = await Promise.allSettled(
      keys.map((each, index) => store.append(each, { offsetBytes: index % 2, bytes: Buffer.from('x') })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('deletes a replaced object after a while, but not while a reader may use it', async () => {
    const { store, unreferenced } = await stores.open({ objects, inlineBytes: 0 });
    await store.put(key, Buffer.from('old'));
    await store.put(key, Buffer.from('new'));
    await unreferenced.sweep();
    expect(objects.objects.size).toBe(2);
    await unreferenced.sweep({ graceMs: -second });
    expect([...objects.objects.values()].map(String)).toEqual(['new']);
  });

  it('never refers to an object that was swept while its server was paused', async () => {
    const sweeper = await stores.open({ objects });
    const { store, mover } = await stores.open({
      objects,
      onStep: async (step) => {
        if (step === 'stored') await sweeper.unreferenced.sweep({ graceMs: -second });
      },
    });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('still in rows') });
    await expect(mover.moveDue(allTails)).rejects.toThrow(SweptObjectError);
    expect(Buffer.from(await store.read(key, whole)).toString()).toBe('still in rows');
  });

  it('moves tails by itself, and reports an outage once, and its end', async () => {
    const seen: unknown[] = [];
    const { store, background } = await stores.open({
      objects,
      due: allTails,
      onMovesChanged: (error) => seen.push(error),
    });
    objects.isDown = true;
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('waits') });
    background.start();
    await vi.waitFor(() => {
      expect(background.isFailing).toBe(true);
    });
    objects.isDown = false;
    await vi.waitFor(
      () => {
        expect(objects.objects.size).toBe(1);
        expect(background.isFailing).toBe(false);
      },
      { timeout: 20 * second },
    );
    expect(seen).toEqual([expect.objectContaining({ name: 'ObjectStoreError' }), null]);
  });

  /** Makes reads of the object that is being composed wait. Returns what was read, and what lets them continue. */
  function holdComposing(): { reads: string[]; release: () => void } {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const reads: string[] = [];
    const get = objects.get.bind(objects);
    vi.spyOn(objects, 'get').mockImplementation(async (name, range) => {
      reads.push(name);
      await promise;
      return get(name, range);
    });
    return {
      reads,
      release: () => {
        resolve(undefined);
      },
    };
  }

  it('moves tails while it composes a blob', async () => {
    const { store, background } = await stores.open({ objects, due: allTails });
    const { reads, release } = holdComposing();
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('sealed') });
    await store.fence(key, sealedEpoch);
    background.start();
    await vi.waitFor(() => {
      expect(reads).toHaveLength(1);
    });
    await store.create('recordings/running/audio-0000');
    await store.append('recordings/running/audio-0000', { offsetBytes: 0, bytes: Buffer.from('running') });
    await vi.waitFor(
      () => {
        expect([...objects.objects.values()].map(String)).toContain('running');
      },
      { timeout: 15 * second },
    );
    release();
  });

  it('stops between two parts of an object, and lets another server compose it at once', async () => {
    const { store, background, composer } = await stores.open({ objects });
    const { reads, release } = holdComposing();
    const bytes = randomBytes(9 * mib);
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes });
    await store.fence(key, sealedEpoch);
    background.start();
    await vi.waitFor(
      () => {
        expect(reads).toHaveLength(1);
      },
      { timeout: 15 * second },
    );
    const stopped = background.stop();
    release();
    await stopped;
    expect(reads).toHaveLength(1);
    expect(await composer.composeNext()).toBe(true);
    expect(digest(await store.read(key, whole))).toBe(digest(bytes));
  });

  /** Ends all claims early, as time does, and lets another server claim the blob. Returns the end of its claim. */
  async function claimByAnother(): Promise<number> {
    await stores.query('update blobs set leased_until = 1');
    const ends = await stores.query<{ until: number }>(
      `update blobs set leased_until = (extract(epoch from clock_timestamp()) * 1000)::bigint + 70000
        returning leased_until::float8 as until`,
    );
    return ends[0]?.until ?? Number.NaN;
  }
  const claimEnd = async (): Promise<number | undefined> =>
    (await stores.query<{ until: number }>('select leased_until::float8 as until from blobs'))[0]?.until;

  it('leaves the claim of another server alone when a move fails or completes after its own claim ran out', async () => {
    let other = 0;
    let fails = true;
    const { store, mover } = await stores.open({
      objects,
      onStep: async (step) => {
        if (step !== 'read') return;
        other = await claimByAnother();
        if (fails) throw new Error('too slow');
      },
    });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('tail') });
    await expect(mover.moveDue(allTails)).rejects.toThrow('too slow');
    expect(await claimEnd()).toBe(other);
    await stores.query('update blobs set leased_until = 0');
    fails = false;
    expect(await mover.moveDue(allTails)).toBe(1);
    expect(await claimEnd()).toBe(other);
    expect(Buffer.from(await store.read(key, whole)).toString()).toBe('tail');
  });

  it('stops composing a blob that another server has claimed since, and leaves its claim alone', async () => {
    let other = 0;
    const steps: string[] = [];
    const { store, composer } = await stores.open({
      objects,
      onStep: async (step) => {
        steps.push(step);
        if (step === 'stored') other = await claimByAnother();
      },
    });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('sealed') });
    await store.fence(key, sealedEpoch);
    expect(await composer.composeNext()).toBe(true);
    expect(steps).toEqual(['claimed', 'announced', 'stored']);
    expect(await claimEnd()).toBe(other);
  });

  it('stops between two deletions of a sweep', async () => {
    const { unreferenced } = await stores.open({ objects });
    for (const name of ['a', 'b', 'c']) await unreferenced.announce(name);
    const stopping = new AbortController();
    const deletions: string[] = [];
    vi.spyOn(objects, 'delete').mockImplementation(async (name) => {
      deletions.push(name);
      stopping.abort();
    });
    await expect(unreferenced.sweep({ graceMs: -second, signal: stopping.signal })).rejects.toThrow('abort');
    expect(deletions).toHaveLength(1);
  });

  it('deletes local copies when they are released, and those of processes that died at the next start', async () => {
    const ended = join(tmpdir(), 'earshot-scratch-999999999-x');
    mkdirSync(ended, { recursive: true });
    writeFileSync(join(ended, 'left'), 'x');
    const { store } = await stores.open({ objects });
    expect(existsSync(ended)).toBe(false);
    await store.put(key, randomBytes(1000));
    const { path, release } = await store.localFile(key);
    expect(existsSync(path)).toBe(true);
    await stores.open({ objects });
    expect(existsSync(path)).toBe(true);
    await release();
    await release();
    expect(existsSync(path)).toBe(false);
    const left = await store.localFile(key);
    await store.close();
    expect(existsSync(left.path)).toBe(false);
    expect(readdirSync(tmpdir())).not.toContain(left.path.split('/').at(-2));
  });
});
