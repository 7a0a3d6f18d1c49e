import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { fileTypes } from '#server/http/pages/file-types.ts';

/** Names of files whose URL contains a hash of the content. No other path is ever looked up. */
const assetPath = new RegExp(
  `^/assets/(?:[a-z][a-z0-9-]{0,30}/)?\\w[\\w.@+-]{0,150}\\.(?:${Object.keys(fileTypes).join('|')})$`,
);

export const isAssetPath = (path: string): boolean => assetPath.test(path);

export const maxAssetBytes = 4 * 1024 * 1024;
const maxAssets = 5000;
const maxBuildBytes = 32 * 1024 * 1024;
/** A larger file is a part of its own. A part of this size is stored in rows of the tiered store, also while the object store does not respond. */
const defaultPartBytes = 512 * 1024;

/** Where a stored file is: its path, its part, first byte and size there, and whether it is compressed by Brotli. */
const storedFileSchema = z.tuple([
  z.string().regex(assetPath),
  z.int().min(0).max(maxAssets),
  z.int().min(0).max(defaultPartBytes),
  z.int().min(0).max(maxAssetBytes),
  z.boolean(),
]);
export const storedFilesSchema = z.array(storedFileSchema).max(maxAssets);
export type StoredFile = z.infer<typeof storedFileSchema>;

/** The files of a build below `assets/`, joined into a few parts because many small blobs cost more. */
export interface Build {
  id: string;
  files: StoredFile[];
  parts: Uint8Array[];
}

/**
 * Returns the id of a build: a hash of names and contents, by which a server recognises files that were changed in
 * the store. Null if a part is shorter than its files.
 */
export function buildIdOf({ files, parts }: Pick<Build, 'files' | 'parts'>): string | null {
  const hash = createHash('sha256');
  for (const [path, part, atByte, sizeBytes] of files) {
    const bytes = parts[part]?.subarray(atByte, atByte + sizeBytes);
    if (bytes?.byteLength !== sizeBytes) return null;
    hash.update(`${path}\0${sizeBytes}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 40);
}

/** Reads the compressed copy of a file if the build made one, else the file. */
async function readCompressed(path: string): Promise<{ bytes: Buffer; isCompressed: boolean }> {
  try {
    return { bytes: await readFile(`${path}.br`), isCompressed: true };
  } catch {
    return { bytes: await readFile(path), isCompressed: false };
  }
}

/**
 * Reads the files below `assets/` of a built web app. Files that no page can request by URL are left out.
 * @param directory contains the output of `npm run build`
 */
export async function readBuild(directory: string): Promise<Build> {
  const entries = await readdir(join(directory, 'assets'), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')}`)
    .filter(isAssetPath)
    .sort()
    .slice(0, maxAssets);
  const files: StoredFile[] = [];
  const parts: Buffer[][] = [[]];
  let partBytes = 0;
  let buildBytes = 0;
  for (const path of paths) {
    if ((await stat(join(directory, path))).size > maxAssetBytes) continue;
    const { bytes, isCompressed } = await readCompressed(join(directory, path));
    buildBytes += bytes.length;
    if (buildBytes > maxBuildBytes) break;
    if (partBytes > 0 && partBytes + bytes.length > defaultPartBytes) {
      parts.push([]);
      partBytes = 0;
    }
    files.push([path, parts.length - 1, partBytes, bytes.length, isCompressed]);
    parts.at(-1)?.push(bytes);
    partBytes += bytes.length;
  }
  const build = { files, parts: parts.map((part) => Buffer.concat(part)) };
  return { id: buildIdOf(build) ?? '', ...build };
}
