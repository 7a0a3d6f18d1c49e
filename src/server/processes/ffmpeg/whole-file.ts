import { mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headWithTrueSizes } from '#audio/containers/sizes/true-sizes.ts';
import type { OpenFfmpegInput } from './ffmpeg-input.ts';

/** The bytes before the sound of a local file, if readers need others to find all of it. */
async function betterHead(path: string): Promise<Uint8Array | null> {
  const file = await open(path);
  try {
    const { size: sizeBytes } = await file.stat();
    return await headWithTrueSizes({
      sizeBytes,
      async read(startByte, endByteExclusive) {
        const bytes = new Uint8Array(Math.max(0, endByteExclusive - startByte));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, startByte);
        return bytes.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}

/**
 * Opens a local file for ffmpeg so that all of its sound is read: where its header states less than it holds, ffmpeg
 * reads another header in front of the unchanged rest. The caller must release it. Rejects if the file can't be read.
 */
export async function openWholeFile(
  path: string,
  named: { demuxer?: string } = {},
): Promise<OpenFfmpegInput> {
  const head = await betterHead(path);
  if (head === null) return { input: { kind: 'file', path, ...named }, release: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'earshot-head-'));
  const release = () => rm(folder, { recursive: true, force: true });
  try {
    const [headPath, restPath] = [join(folder, 'head'), join(folder, 'rest')];
    await writeFile(headPath, head);
    // The path of the file may contain characters that separate the parts of an address.
    await symlink(path, restPath);
    return {
      input: { kind: 'file', path: restPath, head: { path: headPath, sizeBytes: head.length }, ...named },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}
