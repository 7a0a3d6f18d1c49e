import { BackupError } from '#server/features/backups/format/backup-error.ts';
import type { WantedBlob } from '#server/features/backups/copy/wanted-blobs.ts';
import { type BackupTarget, keyOfContent } from '#server/storage/backups/backup-target.ts';
import { mapInBatches } from '#server/storage/blobs/map-in-batches.ts';

const mib = 1024 * 1024;
const lookedUpAtOnce = 64;

/** Returns the bytes of sealed streams that a target lacks. Others may be there already under a hash yet unknown. */
async function missingBytes(target: BackupTarget, wanted: AsyncIterable<WantedBlob>): Promise<number> {
  const missing = new Map<string, number>();
  let batch: { sha256: string; sizeBytes: number }[] = [];
  const lookUp = async (): Promise<void> => {
    const found = await mapInBatches(batch, ({ sha256 }) => target.sizeOf(keyOfContent(sha256)));
    for (const [index, { sha256, sizeBytes }] of batch.entries())
      if (found[index] !== sizeBytes) missing.set(sha256, sizeBytes);
    batch = [];
  };
  for await (const { sha256, sizeBytes } of wanted) {
    if (sha256 === null || sizeBytes === null) continue;
    batch.push({ sha256, sizeBytes });
    if (batch.length >= lookedUpAtOnce) await lookUp();
  }
  await lookUp();
  return [...missing.values()].reduce((sum, sizeBytes) => sum + sizeBytes, 0);
}

/**
 * Compares the free space of a target, where it is known, with what a backup certainly adds, before files of
 * recordings are copied.
 * @throws BackupError when it does not fit
 */
export async function assertTargetSpace(
  target: BackupTarget,
  wanted: AsyncIterable<WantedBlob>,
): Promise<void> {
  const freeBytes = await target.freeBytes();
  if (freeBytes === null) return;
  const neededBytes = await missingBytes(target, wanted);
  if (neededBytes <= freeBytes) return;
  throw new BackupError(
    `The disk under ${target.name} is too small: this backup adds at least ${Math.ceil(neededBytes / mib)} MiB, and ${Math.floor(freeBytes / mib)} MiB are free. Free some space, or name a folder on another disk. Earlier backups are as they were.`,
  );
}
