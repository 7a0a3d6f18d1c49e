import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { fileTypeOf } from './file-types.ts';
import type { StoredAsset } from './other-builds.ts';

const decompress = promisify(brotliDecompress);
const maxFileBytes = 32 * 1024 * 1024;

interface FileCopy {
  bytes: Uint8Array;
  isCompressed: boolean;
  sizeBytes: number;
  modifiedAtMs: number;
}

async function copyOf(path: string): Promise<FileCopy> {
  const { size: sizeBytes, mtimeMs: modifiedAtMs } = await stat(path);
  const compressed = await readFile(`${path}.br`).catch(() => null);
  return {
    bytes: compressed ?? (await readFile(path)),
    isCompressed: compressed !== null,
    sizeBytes,
    modifiedAtMs,
  };
}

/**
 * The files of the server's own build, as they were when it started. An update in the same folder deletes and replaces
 * them while the server runs.
 */
export class OwnFiles {
  readonly #directory: string;
  readonly #copies: ReadonlyMap<string, FileCopy>;

  private constructor(directory: string, copies: ReadonlyMap<string, FileCopy>) {
    this.#directory = directory;
    this.#copies = copies;
  }

  /**
   * Reads the files that pages can request, about two megabytes because the build compresses them.
   * @param directory contains the output of `npm run build`
   */
  static async read(directory: string): Promise<OwnFiles> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
      .filter((path) => !path.startsWith('/.') && path !== '/index.html' && !/\.(br|gz)$/.test(path));
    const copies = new Map<string, FileCopy>();
    for (const path of paths) copies.set(path, await copyOf(join(directory, path)));
    return new OwnFiles(directory, copies);
  }

  has(path: string): boolean {
    return this.#copies.has(path);
  }

  /** Whether the file on disk is the one that the server read at its start. */
  async isOnDisk(path: string): Promise<boolean> {
    const copy = this.#copies.get(path);
    const found = await stat(join(this.#directory, path)).catch(() => null);
    return found?.size === copy?.sizeBytes && found?.mtimeMs === copy?.modifiedAtMs;
  }

  /** Returns the file as it was at the start; null if the build has no such file. */
  async find(path: string, { acceptsBrotli }: { acceptsBrotli: boolean }): Promise<StoredAsset | null> {
    const copy = this.#copies.get(path);
    if (copy === undefined) return null;
    const { bytes, isCompressed } = copy;
    const mediaType = fileTypeOf(path);
    return isCompressed && !acceptsBrotli
      ? { mediaType, encoding: null, bytes: await decompress(bytes, { maxOutputLength: maxFileBytes }) }
      : { mediaType, encoding: isCompressed ? 'br' : null, bytes };
  }
}
