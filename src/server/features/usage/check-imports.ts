import { instantOf } from '#base/instant.ts';
import { wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import type { CheckedFile, UnfinishedImport } from '#contract/storage-api.ts';
import { maxEpoch, type UploadStream } from '#contract/uploads-api.ts';
import { believableMoment } from '#server/storage/rows/believable.ts';
import { timeColumns, timeOfRow } from '#server/storage/rows/stored-time.ts';
import { isUnfinished } from '#server/storage/rows/unfinished.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { QuotaUsage } from './quota.ts';

interface FileToImport {
  sha256: string;
  sizeBytes: number;
}
type Same = CheckedFile['recordings'][number];
interface SameBytes {
  complete: Same[];
  unfinished: UnfinishedImport | null;
}

/** The last writer's uploads of imports that are not complete. */
async function uploadsOf(
  queries: Queries,
  recordingIds: readonly string[],
): Promise<Map<string, { id: string; stream: UploadStream; epoch: number }[]>> {
  if (recordingIds.length === 0) return new Map();
  const uploads = await queries
    .selectFrom('uploads')
    .select(['id', 'recording_id', 'stream', 'epoch'])
    .where('recording_id', 'in', recordingIds)
    .where('segment_index', '=', 0)
    .execute();
  return Map.groupBy(uploads, ({ recording_id: recordingId }) => recordingId);
}

/**
 * A user's recordings with these bytes: stored ones by their hash, imports by the announced hash. Only a complete
 * one is a duplicate. One that lacks bytes is continued, unless its owner has moved it to the trash.
 */
async function recordingsOf(
  queries: Queries,
  ownerId: string,
  hashes: readonly string[],
): Promise<(sha256: string) => SameBytes> {
  const stored = await queries
    .selectFrom('recordings')
    .select(['id', 'title', 'state', ...timeColumns, 'deleted_at', 'sha256'])
    .where('owner_id', '=', ownerId)
    .where('sha256', 'in', hashes)
    .execute();
  const announced = await queries
    .selectFrom('imported_files')
    .innerJoin('recordings', 'recordings.id', 'imported_files.recording_id')
    .select([
      'recordings.id',
      'recordings.title',
      'recordings.state',
      ...timeColumns,
      'recordings.deleted_at',
      'imported_files.file_sha256 as sha256',
    ])
    .where('imported_files.importer_id', '=', ownerId)
    .where('imported_files.file_sha256', 'in', hashes)
    .execute();
  const found = [...new Map([...stored, ...announced].map((row) => [row.id, row])).values()]
    .map((row) => ({
      sha256: row.sha256 ?? '',
      isComplete: !isUnfinished(row),
      recording: {
        id: row.id,
        title: row.title,
        recordedTime: timeOfRow(row),
        startedAt: instantOf(believableMoment(row.started_at)),
        isTrashed: row.deleted_at !== null,
      } satisfies Same,
    }))
    .toSorted((a, b) => (a.recording.id < b.recording.id ? -1 : 1));
  const lacking = found.filter(({ isComplete, recording }) => !isComplete && !recording.isTrashed);
  const uploads = await uploadsOf(
    queries,
    lacking.map(({ recording }) => recording.id),
  );
  const unfinishedOf = (sha256: string): UnfinishedImport | null => {
    const oldest = lacking.find((each) => each.sha256 === sha256)?.recording;
    if (oldest === undefined) return null;
    const own = uploads.get(oldest.id) ?? [];
    const idOf = (stream: UploadStream) => own.find((upload) => upload.stream === stream)?.id ?? null;
    return {
      ...oldest,
      audioUploadId: idOf('audio'),
      peaksUploadId: idOf('peaks'),
      epoch: Math.max(0, ...own.map(({ epoch }) => wholeNumberWithin(epoch, { max: maxEpoch }) ?? 0)),
    };
  };
  return (sha256) => ({
    complete: found
      .filter((each) => each.isComplete && each.sha256 === sha256)
      .map(({ recording }) => recording),
    unfinished: unfinishedOf(sha256),
  });
}

/**
 * Reports for each file, in order, which recordings have the same bytes, and whether it fits the quota after the
 * files before it. The quota counts the whole file of an unfinished import already.
 */
export async function answerImportCheck(
  queries: Queries,
  ownerId: string,
  { files, usage }: { files: readonly FileToImport[]; usage: QuotaUsage },
): Promise<CheckedFile[]> {
  const sameAs = await recordingsOf(queries, ownerId, [...new Set(files.map(({ sha256 }) => sha256))]);
  let freeBytes = usage.quotaBytes === null ? Infinity : usage.quotaBytes - usage.usedBytes;
  return files.map(({ sha256, sizeBytes }): CheckedFile => {
    const { complete: recordings, unfinished } = sameAs(sha256);
    const answer = { sha256, recordings, unfinished };
    if (sizeBytes > limits.import.maxBytes) return { ...answer, rejection: 'too-large' };
    if (unfinished !== null) return { ...answer, rejection: null };
    if (sizeBytes > freeBytes) return { ...answer, rejection: 'quota-exceeded' };
    freeBytes -= sizeBytes;
    return { ...answer, rejection: null };
  });
}
