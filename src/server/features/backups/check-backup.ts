import { keyOfContent, type BackupTarget } from '#server/storage/backups/backup-target.ts';
import { contentsOf } from './format/blob-entry.ts';
import { sumOfStream } from './format/lines.ts';
import type { BackupManifest } from './format/manifest.ts';
import type { FileProblem } from './format/read-lines.ts';
import { blobsOf, keysOf } from './format/snapshots.ts';

/** Reads one file back and compares it. Returns what is wrong with it, or null. */
export async function fileProblemOf(
  target: BackupTarget,
  key: string,
  expected: { sizeBytes: number; sha256: string },
): Promise<FileProblem | null> {
  const sizeBytes = await target.sizeOf(key);
  if (sizeBytes === null) return { key, problem: 'missing' };
  if (sizeBytes !== expected.sizeBytes) return { key, problem: 'damaged' };
  const { sha256 } = await sumOfStream(target.read(key));
  return sha256 === expected.sha256 ? null : { key, problem: 'damaged' };
}

/** Reads the files of a snapshot that describe the database back, and yields those that are missing or damaged. */
export async function* describingProblems(
  target: BackupTarget,
  manifest: BackupManifest,
): AsyncGenerator<FileProblem> {
  const keys = keysOf(manifest.id);
  for (const { key, file } of [
    ...manifest.tables.map(({ name, file: tableFile }) => ({ key: keys.table(name), file: tableFile })),
    { key: keys.blobs, file: manifest.blobs.file },
  ]) {
    const problem = await fileProblemOf(target, key, file);
    if (problem !== null) yield problem;
  }
}

/**
 * Reads everything that a snapshot names back, and yields what is missing or damaged. Damaged files of recordings are
 * set aside, because a backup does not read what the target has already: the next one copies them again.
 */
export async function* verifyFiles(
  target: BackupTarget,
  manifest: BackupManifest,
  signal: AbortSignal,
): AsyncGenerator<FileProblem> {
  let isListWhole = true;
  for await (const problem of describingProblems(target, manifest)) {
    if (problem.key === keysOf(manifest.id).blobs) isListWhole = false;
    yield problem;
  }
  if (!isListWhole) return;
  for await (const entry of blobsOf(target, manifest))
    for (const content of contentsOf(entry)) {
      signal.throwIfAborted();
      const problem = await fileProblemOf(target, keyOfContent(content.sha256), content);
      if (problem === null) continue;
      if (problem.problem === 'damaged') await target.setAside(problem.key);
      yield problem;
    }
}
