import { sql, type Transaction } from 'kysely';
import type { Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { lockRecordings } from './lock-recordings.ts';

/** The size of the files that were made of a recording for its links. */
async function derivedBytesOf(queries: Queries, recordingId: string): Promise<number> {
  const renditions = await queries
    .selectFrom('share_renditions')
    .select('size_bytes')
    .where('recording_id', '=', recordingId)
    .execute();
  const m4a = await queries
    .selectFrom('share_m4a')
    .innerJoin('shares', 'shares.id', 'share_m4a.share_id')
    .select('share_m4a.size_bytes')
    .where('shares.recording_id', '=', recordingId)
    .execute();
  return [...renditions, ...m4a].reduce((sum, { size_bytes: sizeBytes }) => sum + sizeBytes, 0);
}

/**
 * `recordings.stored_bytes` of a recording whose own files have this size: with the files that were made for its
 * links. Locks the recording until the transaction ends, so that no such file is left out or counted twice.
 */
export async function storedBytesWithDerived(
  transaction: Transaction<Schema>,
  recordingId: string,
  ownBytes: number,
): Promise<number> {
  await lockRecordings(transaction, [recordingId]);
  return ownBytes + (await derivedBytesOf(transaction, recordingId));
}

/**
 * Changes the rows of files that were made for the links of a recording, and counts the difference with the bytes
 * that the recording stores.
 * @param change changes rows of `share_renditions` or `share_m4a` of this recording alone
 * @returns the result of `change`
 */
export async function countDerivedBytes<Result>(
  transaction: Transaction<Schema>,
  recordingId: string,
  change: () => Promise<Result>,
): Promise<Result> {
  await lockRecordings(transaction, [recordingId]);
  const beforeBytes = await derivedBytesOf(transaction, recordingId);
  const result = await change();
  const addedBytes = (await derivedBytesOf(transaction, recordingId)) - beforeBytes;
  if (addedBytes !== 0)
    await transaction
      .updateTable('recordings')
      // Never below 0, which the table rejects: a damaged count must not keep a file from being deleted.
      .set({
        stored_bytes: sql<number>`case when stored_bytes + ${addedBytes} < 0 then 0 else stored_bytes + ${addedBytes} end`,
      })
      .where('id', '=', recordingId)
      .execute();
  return result;
}
