import { tablesWithBlobs, type WantedBlob } from '#server/features/backups/copy/wanted-blobs.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { tableRecords } from '#server/features/backups/format/table-files.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';

/** The blobs that the tables of a snapshot name: first those of uploads, then those of recordings, by ids. */
export async function* snapshotBlobs(
  target: BackupTarget,
  id: string,
  tables: BackupManifest['tables'],
): AsyncGenerator<WantedBlob> {
  for (const [name, blobsOf] of tablesWithBlobs) {
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw new TypeError(`the snapshot has no table ${name}`);
    for await (const row of tableRecords(target, id, table)) yield* blobsOf(row);
  }
}
