import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type BackupTarget, keyOfContent, setAsideKeyOf } from './backup-target.ts';

async function* pieces(...all: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The behaviour of every place of backups. `open` opens an empty one. */
export function behavesAsBackupTarget(open: () => Promise<BackupTarget>): void {
  it('returns what was written, and replaces it', async () => {
    const target = await open();
    expect(await target.sizeOf('snapshots/one/manifest.json')).toBeNull();
    const stored = await target.write(
      'snapshots/one/manifest.json',
      pieces(Buffer.from('ab'), Buffer.from('c')),
    );
    expect(stored).toEqual({ sizeBytes: 3, sha256: sha256(Buffer.from('abc')) });
    await target.write('snapshots/one/manifest.json', pieces(Buffer.from('other')));
    expect(await target.sizeOf('snapshots/one/manifest.json')).toBe(5);
    expect((await buffer(target.read('snapshots/one/manifest.json'))).toString()).toBe('other');
  });

  it('stores the same content once, small, large and empty', async () => {
    const target = await open();
    const large = randomBytes(20 * 1024 * 1024 + 3);
    for (const bytes of [Buffer.from('short'), large, Buffer.alloc(0)]) {
      const halves = [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)];
      const expected = { sizeBytes: bytes.length, sha256: sha256(bytes) };
      expect(await target.store(pieces(...halves))).toEqual({ ...expected, isNew: true });
      expect(await target.store(pieces(bytes))).toEqual({ ...expected, isNew: false });
      expect((await buffer(target.read(keyOfContent(expected.sha256)))).equals(bytes)).toBe(true);
    }
  });

  it('shows nothing of a file whose source fails', async () => {
    const target = await open();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield randomBytes(20 * 1024 * 1024);
      throw new Error('the source broke');
    }
    await expect(target.write('snapshots/one/manifest.json', failing())).rejects.toThrow('the source broke');
    await expect(target.store(failing())).rejects.toThrow('the source broke');
    await target.clean();
    expect(await target.sizeOf('snapshots/one/manifest.json')).toBeNull();
    expect(await target.list('blobs/')).toEqual([]);
  });

  it('lists the names directly below a prefix', async () => {
    const target = await open();
    expect(await target.list('snapshots/')).toEqual([]);
    for (const key of ['snapshots/a/manifest.json', 'snapshots/a/tables/x', 'snapshots/b/manifest.json'])
      await target.write(key, pieces(Buffer.from('x')));
    expect((await target.list('snapshots/')).sort()).toEqual(['a', 'b']);
    expect((await target.list('snapshots/a/')).sort()).toEqual(['manifest.json', 'tables']);
  });

  it('deletes a file, everything below a prefix, and what is missing', async () => {
    const target = await open();
    for (const key of ['snapshots/a/manifest.json', 'snapshots/a/tables/x', 'snapshots/b/manifest.json'])
      await target.write(key, pieces(Buffer.from('x')));
    await target.remove('snapshots/a/');
    await target.remove('snapshots/never/');
    await target.remove('snapshots/never');
    expect(await target.list('snapshots/')).toEqual(['b']);
    await target.remove('snapshots/b/manifest.json');
    expect(await target.sizeOf('snapshots/b/manifest.json')).toBeNull();
  });

  it('sets damaged content aside, so that it is stored again', async () => {
    const target = await open();
    const { sha256: name } = await target.store(pieces(Buffer.from('content')));
    const key = keyOfContent(name);
    await target.setAside(key);
    expect(await target.sizeOf(key)).toBeNull();
    expect(await target.sizeOf(setAsideKeyOf(key))).toBe(7);
    await target.setAside(keyOfContent('0'.repeat(64)));
    expect(await target.store(pieces(Buffer.from('content')))).toMatchObject({ isNew: true });
  });

  it('fails to read what is missing', async () => {
    const target = await open();
    await expect(buffer(target.read('snapshots/never'))).rejects.toThrow(/missing|ENOENT/);
  });
}
