import { constants } from 'node:fs';
import { access, mkdtemp, open, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BlobSpaceError, type BlobStore } from '#server/storage/blobs/blob-store.ts';
import { behavesAsBlobStore } from '#server/storage/blobs/blob-store.suite.ts';
import { openDiskBlobStore, type DiskBlobStoreOptions } from './disk-blob-store.ts';

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-blobs-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function openStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const store = await openDiskBlobStore(options);
  onTestFinished(() => store.close());
  return store;
}

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content);
const everything = { startByte: 0, endByteExclusive: 1000 };

describe('the disk blob store', () => {
  behavesAsBlobStore(async () => {
    const directory = await newDirectory();
    return { store: await openStore({ directory }), reopen: () => openStore({ directory }) };
  });
});

/** A file on a disk with `freeBytes` left: a write is shortened at the limit, then fails, as on a real volume. */
function fullDisk(disk: {
  freeBytes: number;
  truncateFails: boolean;
  code: string;
}): (path: string) => Promise<FileHandle> {
  const reject = (): never => {
    throw Object.assign(new Error(`${disk.code}: no space left on device, write`), { code: disk.code });
  };
  return async (path) => {
    const handle = await open(path, 'r+');
    return new Proxy(handle, {
      get(target, name) {
        if (name === 'write') {
          return (...[bytes, offset, length, position]: [Uint8Array, number, number, number]) => {
            if (disk.freeBytes === 0) reject();
            const fitting = Math.min(length, disk.freeBytes);
            disk.freeBytes -= fitting;
            return target.write(bytes, offset, fitting, position);
          };
        }
        if (name === 'truncate' && disk.truncateFails) return reject;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  };
}

describe('a full disk', () => {
  it.each(['ENOSPC', 'EDQUOT'])(
    '(%s) rejects the whole append and leaves the blob at its acknowledged size',
    async (code) => {
      const directory = await newDirectory();
      const disk = { freeBytes: 10, truncateFails: false, code };
      const store = await openStore({ directory, openFile: fullDisk(disk) });
      await store.create('a');
      await store.append('a', { offsetBytes: 0, bytes: bytesOf('12345678') });
      await expect(store.append('a', { offsetBytes: 8, bytes: bytesOf('too long') })).rejects.toBeInstanceOf(
        BlobSpaceError,
      );
      expect((await stat(join(directory, 'a'))).size).toBe(8);
      disk.freeBytes = 100;
      expect(await store.append('a', { offsetBytes: 8, bytes: bytesOf('fits') })).toBe(12);
    },
  );

  it('shows only acknowledged bytes if truncating fails too, and recovers with the next append', async () => {
    const directory = await newDirectory();
    const disk = { freeBytes: 10, truncateFails: true, code: 'ENOSPC' };
    const store = await openStore({ directory, openFile: fullDisk(disk) });
    await store.create('a');
    await store.append('a', { offsetBytes: 0, bytes: bytesOf('12345678') });
    await expect(store.append('a', { offsetBytes: 8, bytes: bytesOf('too long') })).rejects.toBeInstanceOf(
      BlobSpaceError,
    );
    expect((await stat(join(directory, 'a'))).size).toBe(10);
    expect(await store.head('a')).toMatchObject({ sizeBytes: 8 });
    expect(await store.read('a', everything)).toHaveLength(8);
    await expect(store.append('a', { offsetBytes: 8, bytes: bytesOf('x') })).rejects.toBeInstanceOf(
      BlobSpaceError,
    );
    disk.truncateFails = false;
    disk.freeBytes = 100;
    expect(await store.append('a', { offsetBytes: 8, bytes: bytesOf('x') })).toBe(9);
    expect((await stat(join(directory, 'a'))).size).toBe(9);
  });
});

describe('the directory', () => {
  it('is created if missing', async () => {
    const directory = join(await newDirectory(), 'deep', 'down');
    await openStore({ directory });
    await expect(access(directory, constants.W_OK)).resolves.toBeUndefined();
  });

  it('loses files that a crash left unfinished, and nothing else', async () => {
    const directory = await newDirectory();
    const store = await openStore({ directory });
    await store.put('recordings/a', bytesOf('kept'));
    await writeFile(join(directory, '.unfinished', 'half'), 'half a blob');
    await store.close();
    const again = await openStore({ directory });
    expect(await readdir(join(directory, '.unfinished'))).toEqual([]);
    expect(await again.head('recordings/a')).toMatchObject({ sizeBytes: 4 });
  });

  it('is rejected if it is a file', async () => {
    const directory = join(await newDirectory(), 'file');
    await writeFile(directory, '');
    await expect(openDiskBlobStore({ directory })).rejects.toThrow('EEXIST');
  });

  it('keeps few files open, however many blobs are used', async () => {
    const directory = await newDirectory();
    const opened: FileHandle[] = [];
    const store = await openStore({
      directory,
      openFiles: 16,
      openFile: async (path) => {
        const handle = await open(path, 'r+');
        opened.push(handle);
        return handle;
      },
    });
    for (let index = 0; index < 40; index += 1) {
      await store.create(`many/a${index}`);
      await store.append(`many/a${index}`, { offsetBytes: 0, bytes: bytesOf('x') });
    }
    expect(opened.filter((handle) => handle.fd !== -1).length).toBeLessThanOrEqual(16);
    expect(await store.append('many/a0', { offsetBytes: 1, bytes: bytesOf('y') })).toBe(2);
  });
});
