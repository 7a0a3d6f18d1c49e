import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { BlobFencedError, BlobOffsetError, type BlobStore, noteLagBytes, sealedEpoch } from './blob-store.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content);
const everything = { startByte: 0, endByteExclusive: Number.MAX_SAFE_INTEGER };
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The behaviour of every blob store. `open` returns an empty store, `reopen` the same one as a new process would
 * see it.
 */
export function behavesAsBlobStore(
  open: () => Promise<{ store: BlobStore; reopen: () => Promise<BlobStore> }>,
): void {
  let store: BlobStore;
  let reopen: () => Promise<BlobStore>;
  const key = 'recordings/0190f7a0-0000-7000-8000-000000000001/audio-0000';
  const append = (offsetBytes: number, content: string): Promise<number> =>
    store.append(key, { offsetBytes, bytes: bytesOf(content) });

  beforeEach(async () => {
    ({ store, reopen } = await open());
  });

  it('provides a blob as a local file, and rejects a missing blob', async () => {
    await store.create(key);
    await append(0, 'Once upon');
    const { path, release } = await store.localFile(key);
    expect(text(await readFile(path))).toBe('Once upon');
    await release();
    expect(text(await store.read(key, everything))).toBe('Once upon');
    await expect(store.localFile('recordings/none')).rejects.toThrow('none');
  });

  describe('appending', () => {
    it('adds at the end and returns the new size', async () => {
      await store.create(key);
      expect(await append(0, 'Once ')).toBe(5);
      expect(await append(5, 'upon')).toBe(9);
      expect(text(await store.read(key, everything))).toBe('Once upon');
    });

    it('rejects any other offset and reports the actual size', async () => {
      await store.create(key);
      await append(0, 'Once');
      for (const offsetBytes of [0, 3, 5, 4_000_000_000]) {
        const error: unknown = await append(offsetBytes, 'x').catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(BlobOffsetError);
        expect(error).toHaveProperty('sizeBytes', 4);
      }
      expect(text(await store.read(key, everything))).toBe('Once');
    });

    it('lets one of two concurrent appends at the same offset win', async () => {
      await store.create(key);
      const results = await Promise.allSettled([append(0, 'aaaa'), append(0, 'bbbbbb')]);
      expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(['aaaa', 'bbbbbb']).toContain(text(await store.read(key, everything)));
    });

    it('does not mix up many blobs that grow at the same time', async () => {
      const keys = Array.from(
        { length: 40 },
        (_, index) => `recordings/many/audio-${String(index).padStart(4, '0')}`,
      );
      const pieces = Array.from({ length: 8 }, () => randomBytes(1000));
      await Promise.all(
        keys.map(async (each) => {
          await store.create(each);
          for (const [index, bytes] of pieces.entries())
            await store.append(each, { offsetBytes: index * 1000, bytes });
        }),
      );
      const whole = digest(Buffer.concat(pieces));
      for (const each of keys) expect(digest(await store.read(each, everything))).toBe(whole);
    });

    it('leaves the blob unchanged when appending nothing', async () => {
      await store.create(key);
      await append(0, 'x');
      expect(await append(1, '')).toBe(1);
    });

    it('rejects an append to a blob that was never created', async () => {
      await expect(append(0, 'x')).rejects.toThrow(/no such|ENOENT/i);
      expect(await store.head(key)).toBeNull();
    });

    it('is durable: a new process finds every acknowledged byte', async () => {
      await store.create(key);
      await append(0, 'kept');
      await store.close();
      const again = await reopen();
      expect(await again.head(key)).toMatchObject({ sizeBytes: 4 });
      expect(await again.append(key, { offsetBytes: 4, bytes: bytesOf(' safe') })).toBe(9);
      expect(text(await again.read(key, everything))).toBe('kept safe');
    });
  });

  describe('writers', () => {
    const appendAs = (epoch: number, offsetBytes: number, content: string): Promise<number> =>
      store.append(key, { offsetBytes, bytes: bytesOf(content), epoch });

    it('rejects a writer once another with a higher epoch has appended', async () => {
      await store.create(key);
      await appendAs(1, 0, 'one ');
      await appendAs(2, 4, 'two ');
      const error: unknown = await appendAs(1, 8, 'late').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlobFencedError);
      expect(error).toHaveProperty('epoch', 2);
      expect(await appendAs(2, 8, 'on')).toBe(10);
      expect(text(await store.read(key, everything))).toBe('one two on');
    });

    it('rejects a writer below a fence, which a lower one does not change', async () => {
      await store.create(key);
      await store.fence(key, 5);
      await store.fence(key, 3);
      await expect(appendAs(4, 0, 'x')).rejects.toThrow(BlobFencedError);
      expect(await appendAs(5, 0, 'x')).toBe(1);
    });

    it('accepts the writer with the largest epoch', async () => {
      await store.create(key);
      expect(await appendAs(sealedEpoch - 1, 0, 'x')).toBe(1);
      expect(await appendAs(sealedEpoch - 1, 1, 'y')).toBe(2);
    });

    it('rejects every append to a sealed blob, also one without an epoch', async () => {
      await store.create(key);
      await append(0, 'whole');
      await store.fence(key, sealedEpoch, { sizeBytes: 5 });
      await expect(append(5, 'x')).rejects.toThrow(BlobFencedError);
      await expect(appendAs(7, 5, 'x')).rejects.toThrow(BlobFencedError);
      await store.fence(key, sealedEpoch, { sizeBytes: 5 });
      expect(text(await store.read(key, everything))).toBe('whole');
    });

    it('does not seal a blob that has another size', async () => {
      await store.create(key);
      await append(0, 'longer');
      const error: unknown = await store
        .fence(key, sealedEpoch, { sizeBytes: 4 })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlobOffsetError);
      expect(error).toHaveProperty('sizeBytes', 6);
      expect(await append(6, '!')).toBe(7);
    });

    it('either seals a blob or lets it grow when both happen at once', async () => {
      for (let round = 0; round < 20; round += 1) {
        const each = `recordings/race/audio-${String(round).padStart(4, '0')}`;
        await store.create(each);
        const [grown, sealed] = await Promise.allSettled([
          store.append(each, { offsetBytes: 0, bytes: bytesOf('x'), epoch: 1 }),
          store.fence(each, sealedEpoch, { sizeBytes: 0 }),
        ]);
        expect([grown.status, sealed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
        expect(await store.head(each)).toMatchObject({ sizeBytes: grown.status === 'fulfilled' ? 1 : 0 });
      }
    });

    it('frees the key of a sealed blob that was removed', async () => {
      await store.create(key);
      await store.fence(key, sealedEpoch);
      await store.remove(key);
      await store.create(key);
      expect(await append(0, 'new')).toBe(3);
    });
  });

  describe('notes', () => {
    const note = (label: string): Uint8Array => bytesOf(label.padEnd(116, '.'));

    it('returns a note of which at most the lag is missing, also to a new process', async () => {
      await store.create(key);
      const pieceBytes = 100_000;
      const notes = new Map<number, string>();
      for (let offsetBytes = 0; offsetBytes < 9 * pieceBytes; offsetBytes += pieceBytes) {
        const atBytes = offsetBytes + pieceBytes;
        notes.set(atBytes, `up to ${atBytes}`);
        await store.append(key, {
          offsetBytes,
          bytes: randomBytes(pieceBytes),
          note: note(`up to ${atBytes}`),
        });
        const tail = await store.tail(key);
        expect(tail?.sizeBytes).toBe(atBytes);
        expect(atBytes - (tail?.note?.atBytes ?? 0)).toBeLessThan(noteLagBytes + pieceBytes);
      }
      await store.close();
      store = await reopen();
      const { note: last } = (await store.tail(key)) ?? {};
      if (!last) throw new Error('no note');
      // An orderly end leaves nothing to read again.
      expect(last.atBytes).toBe(9 * pieceBytes);
      expect(text(last.bytes)).toBe(text(note(notes.get(last.atBytes) ?? 'unknown')));
    });

    it('has none for an empty blob, and no tail for a missing one', async () => {
      await store.create(key);
      expect(await store.tail(key)).toEqual({ sizeBytes: 0, note: null });
      expect(await store.tail('recordings/nothing')).toBeNull();
    });

    it.each([
      ['cut', () => store.truncate(key, 300_000)],
      ['replaced', () => store.put(key, randomBytes(300_000))],
      [
        'removed',
        async () => {
          await store.remove(key);
          await store.create(key);
          await store.append(key, { offsetBytes: 0, bytes: randomBytes(300_000) });
        },
      ],
    ] as const)('drops a note of bytes that were %s', async (_, change) => {
      await store.create(key);
      await store.append(key, { offsetBytes: 0, bytes: randomBytes(600_000), note: note('old') });
      await store.append(key, { offsetBytes: 600_000, bytes: randomBytes(1), note: note('newest') });
      await change();
      await store.append(key, { offsetBytes: 300_000, bytes: randomBytes(200_000) });
      await store.append(key, { offsetBytes: 500_000, bytes: randomBytes(100_001) });
      expect(await store.tail(key)).toEqual({ sizeBytes: 600_001, note: null });
      await store.close();
      store = await reopen();
      expect(await store.tail(key)).toEqual({ sizeBytes: 600_001, note: null });
    });
  });

  describe('creating', () => {
    it('creates an empty blob', async () => {
      await store.create(key);
      expect(await store.head(key)).toMatchObject({ sizeBytes: 0 });
    });

    it('leaves an existing blob unchanged', async () => {
      await store.create(key);
      await append(0, 'mine');
      await store.create(key);
      expect(text(await store.read(key, everything))).toBe('mine');
    });
  });

  describe('reading', () => {
    beforeEach(async () => {
      await store.put(key, bytesOf('0123456789'));
    });

    it.each([
      [0, 4, '0123'],
      [4, 10, '456789'],
      [8, 400, '89'],
      [10, 20, ''],
      [40, 50, ''],
      [3, 3, ''],
    ])('bytes %i to %i gives "%s"', async (startByte, endByteExclusive, expected) => {
      expect(text(await store.read(key, { startByte, endByteExclusive }))).toBe(expected);
      expect(text(await buffer(store.stream(key, { startByte, endByteExclusive })))).toBe(expected);
    });

    it('streams a whole long blob', async () => {
      const long = randomBytes(3 * 1024 * 1024 + 17);
      await store.put('recordings/long', long);
      expect(digest(await buffer(store.stream('recordings/long', everything)))).toBe(digest(long));
    });

    it('stops a stream that is destroyed', async () => {
      await store.put('recordings/long', randomBytes(3 * 1024 * 1024));
      const stream = store.stream('recordings/long', everything);
      const ended = Promise.withResolvers<undefined>();
      stream.on('close', () => {
        ended.resolve(undefined);
      });
      stream.once('data', () => {
        stream.destroy();
      });
      await ended.promise;
      expect(stream.destroyed).toBe(true);
    });

    it('rejects reads of a missing blob, and returns a null head', async () => {
      await expect(store.read('recordings/nothing', everything)).rejects.toThrow(/no such|ENOENT/i);
      await expect(buffer(store.stream('recordings/nothing', everything))).rejects.toThrow(/no such|ENOENT/i);
      expect(await store.head('recordings/nothing')).toBeNull();
    });
  });

  describe('moving', () => {
    it('renames a blob and replaces the target, also for readers that have it open', async () => {
      await store.put(key, bytesOf('old'));
      expect(text(await store.read(key, everything))).toBe('old');
      await store.create('recordings/new');
      await store.append('recordings/new', { offsetBytes: 0, bytes: bytesOf('newer') });
      await store.move('recordings/new', key);
      expect(text(await store.read(key, everything))).toBe('newer');
      expect(await store.head('recordings/new')).toBeNull();
      expect(await store.append(key, { offsetBytes: 5, bytes: bytesOf('!') })).toBe(6);
    });

    it('rejects a missing blob', async () => {
      await expect(store.move('recordings/nothing', key)).rejects.toThrow(/no such|ENOENT/i);
    });
  });

  describe('putting', () => {
    it('replaces the whole blob, also for readers that have it open', async () => {
      await store.put(key, bytesOf('a long first version'));
      expect(text(await store.read(key, everything))).toBe('a long first version');
      await store.put(key, bytesOf('second'));
      expect(await store.head(key)).toMatchObject({ sizeBytes: 6 });
      expect(text(await store.read(key, everything))).toBe('second');
    });

    it('never mixes two versions for a reader that started before', async () => {
      const versions = [randomBytes(600_000), randomBytes(600_000)] as const;
      await store.put(key, versions[0]);
      const reads = Array.from({ length: 8 }, () => store.read(key, everything));
      await store.put(key, versions[1]);
      reads.push(store.read(key, everything));
      const known = versions.map(digest);
      const seen = (await Promise.all(reads)).map(digest);
      expect(seen.filter((each) => !known.includes(each))).toEqual([]);
      expect(seen.at(-1)).toBe(known[1]);
    });

    it('reports the time of the last change', async () => {
      const before = Date.now() - 2000;
      await store.put(key, bytesOf('x'));
      const head = await store.head(key);
      expect(head?.changedAtMs).toBeGreaterThan(before);
      expect(Number.isInteger(head?.changedAtMs)).toBe(true);
    });
  });

  describe('cutting', () => {
    it('drops the tail, and the next append continues there', async () => {
      await store.put(key, bytesOf('whole page torn'));
      await store.truncate(key, 10);
      expect(await append(10, '!')).toBe(11);
      expect(text(await store.read(key, everything))).toBe('whole page!');
    });

    it('never makes a blob longer', async () => {
      await store.put(key, bytesOf('abc'));
      await expect(store.truncate(key, 4)).rejects.toThrow(RangeError);
      await expect(store.truncate(key, -1)).rejects.toThrow(RangeError);
      expect(await store.head(key)).toMatchObject({ sizeBytes: 3 });
    });
  });

  describe('removing', () => {
    it('removes one blob and leaves its neighbours', async () => {
      await store.put('recordings/a/audio-0000', bytesOf('a'));
      await store.put('recordings/a/audio-0001', bytesOf('b'));
      await store.remove('recordings/a/audio-0000');
      expect(await store.head('recordings/a/audio-0000')).toBeNull();
      expect(await store.head('recordings/a/audio-0001')).not.toBeNull();
    });

    it('removes everything below a prefix and nothing else', async () => {
      await store.create('recordings/a/audio-0000');
      await store.append('recordings/a/audio-0000', { offsetBytes: 0, bytes: bytesOf('a') });
      await store.put('recordings/a/peaks-0000', bytesOf('b'));
      await store.put('recordings/ab/audio-0000', bytesOf('c'));
      await store.remove('recordings/a/');
      expect(await store.head('recordings/a/audio-0000')).toBeNull();
      expect(await store.head('recordings/a/peaks-0000')).toBeNull();
      expect(text(await store.read('recordings/ab/audio-0000', everything))).toBe('c');
    });

    it('ignores a missing blob', async () => {
      await store.remove('recordings/none');
      await store.remove('recordings/none/');
      await store.remove('nowhere/none/');
      expect(await store.head('recordings/none')).toBeNull();
    });

    it('frees the key for a new blob', async () => {
      await store.create(key);
      await append(0, 'old');
      await store.remove(key);
      await store.create(key);
      expect(await append(0, 'new one')).toBe(7);
    });
  });

  describe('keys', () => {
    const bad = [
      '',
      '/',
      '../etc/passwd',
      'a/../b',
      'a//b',
      '/a',
      'a/',
      '.unfinished/x',
      'a/.b',
      'A',
      'a b',
      'a\0b',
      'a\\b',
      'ä',
      `a/${'b'.repeat(300)}`,
    ];

    it.each(bad)('rejects %j', async (name) => {
      const attempts = [
        () => store.create(name),
        () => store.head(name),
        () => store.put(name, bytesOf('x')),
        () => store.append(name, { offsetBytes: 0, bytes: bytesOf('x') }),
        () => store.read(name, everything),
        () => store.truncate(name, 0),
      ];
      for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow(TypeError);
      expect(() => store.stream(name, everything)).toThrow(TypeError);
    });

    it.each(bad.filter((name) => name !== 'a/'))('refuses to remove %j', async (name) => {
      await expect(store.remove(name)).rejects.toThrow(TypeError);
    });
  });

  it('reports the free and total space', async () => {
    const { freeBytes, totalBytes } = await store.space();
    expect([Number.isSafeInteger(freeBytes), freeBytes > 0, freeBytes <= totalBytes]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('answers a ping', async () => {
    await expect(store.ping()).resolves.toBeUndefined();
  });
}
