import { instantOf } from '#base/instant.ts';
import { limits } from '#contract/limits.ts';
import type { CheckedFile } from '#contract/storage-api.ts';
import { believableMoment } from '#server/storage/rows/believable.ts';
import { timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { QuotaUsage } from './quota.ts';

interface FileToImport {
  sha256: string;
  sizeBytes: number;
}
type Found = CheckedFile['recordings'][number] & { sha256: string };

/** A user's recordings with these bytes: stored ones by their hash, imports in progress by the announced hash. */
async function recordingsOf(
  queries: Queries,
  ownerId: string,
  hashes: readonly string[],
): Promise<Map<string, Found[]>> {
  const stored = await queries
    .selectFrom('recordings')
    .select(['id', 'title', ...timeColumns, 'deleted_at', 'sha256'])
    .where('owner_id', '=', ownerId)
    .where('sha256', 'in', hashes)
    .execute();
  const announced = await queries
    .selectFrom('imported_files')
    .innerJoin('recordings', 'recordings.id', 'imported_files.recording_id')
    .select([
      'recordings.id',
      'recordings.title',
      ...timeColumns,
      'recordings.deleted_at',
      'imported_files.file_sha256 as sha256',
    ])
    .where('imported_files.importer_id', '=', ownerId)
    .where('imported_files.file_sha256', 'in', hashes)
    .execute();
  const found = [...new Map([...stored, ...announced].map((row) => [row.id, row])).values()].map(
    (row): Found => ({
      id: row.id,
      title: row.title,
      recordedTime: timeOfRow(row),
      startedAt: instantOf(believableMoment(row.started_at)),
      isTrashed: row.deleted_at !== null,
      sha256: row.sha256 ?? '',
    }),
  );
  return Map.groupBy(
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ({ sha256 }) => sha256,
  );
}

/**
 * Reports for each file, in order, which recordings have the same bytes, and whether it fits the quota after the
 * files before it.
 */
export async function answerImportCheck(
  queries: Queries,
  ownerId: string,
  { files, usage }: { files: readonly FileToImport[]; usage: QuotaUsage },
): Promise<CheckedFile[]> {
  const known = await recordingsOf(queries, ownerId, [...new Set(files.map(({ sha256 }) => sha256))]);
  let freeBytes = usage.quotaBytes === null ? Infinity : usage.quotaBytes - usage.usedBytes;
  return files.map(({ sha256, sizeBytes }): CheckedFile => {
    const recordings = (known.get(sha256) ?? []).map(({ sha256: _hash, ...recording }) => recording);
    if (sizeBytes > limits.import.largestBytes) return { sha256, recordings, rejection: 'too-large' };
    if (sizeBytes > freeBytes) return { sha256, recordings, rejection: 'quota-exceeded' };
    freeBytes -= sizeBytes;
    return { sha256, recordings, rejection: null };
  });
}
