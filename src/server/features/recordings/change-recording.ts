import type { Transaction } from 'kysely';
import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { instantOf } from '#base/instant.ts';
import { isPossible } from '#base/recorded-time/order.ts';
import { foldForSearch } from '#base/text.ts';
import type { changeRecordingSchema } from '#contract/recordings.ts';
import { rejectField } from '#server/http/validation.ts';
import { columnsOfTime } from '#server/storage/rows/stored-time.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { RecordingRow, Schema } from '#server/storage/database/schema.ts';
import { indexOfForeignTag } from '#server/storage/rows/limited-rows.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { userTitle } from '#server/storage/generated-title.ts';

export type RecordingChange = z.output<typeof changeRecordingSchema>;

const columnsOf = ({ title, language, people, recordedTime }: RecordingChange): Partial<RecordingRow> => ({
  ...(title === undefined ? {} : { title, title_folded: foldForSearch(title) }),
  ...(language === undefined ? {} : { language }),
  ...(people === undefined ? {} : { people: JSON.stringify([...new Set(people)]) }),
  ...(recordedTime === undefined ? {} : columnsOfTime(recordedTime)),
});

/**
 * Replaces the tags of a recording.
 * @throws validation (422) for a tag that the owner does not have
 */
async function retag(
  transaction: Transaction<Schema>,
  { id, ownerId }: { id: string; ownerId: string },
  tagIds: readonly string[],
): Promise<void> {
  const wanted = [...new Set(tagIds)];
  const unknown = await indexOfForeignTag(transaction, ownerId, tagIds);
  if (unknown !== -1) throw rejectField(`/tagIds/${unknown}`, 'unknown');
  await transaction.deleteFrom('recording_tags').where('recording_id', '=', id).execute();
  if (wanted.length > 0)
    await transaction
      .insertInto('recording_tags')
      .values(wanted.map((tagId) => ({ recording_id: id, tag_id: tagId })))
      .execute();
}

/**
 * Stores the device's own start time before the owner's replaces it, because the start time limits how many bytes
 * a running take may still send.
 */
async function storeBeganAt(transaction: Transaction<Schema>, id: string): Promise<void> {
  await transaction
    .updateTable('recordings')
    .set((row) => ({ began_at: row.ref('started_at') }))
    .where('id', '=', id)
    .where('source', '=', 'microphone')
    .where('began_at', 'is', null)
    .execute();
}

/** Devices with an older version send a generated title again, which must not be stored as the user's. */
async function withUserTitle(
  transaction: Transaction<Schema>,
  id: string,
  change: RecordingChange,
): Promise<RecordingChange> {
  if (change.title === undefined) return change;
  const row = await transaction
    .selectFrom('recordings')
    .select(['source', 'started_at', 'began_at', 'time_zone'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return change;
  return {
    ...change,
    title: userTitle({
      title: change.title,
      source: row.source,
      startedAt: instantOf(row.began_at ?? row.started_at),
      timeZone: row.time_zone,
    }),
  };
}

/**
 * Changes the user's data of a recording and updates the search index in one transaction. Returns false if the
 * change is empty.
 */
export async function changeRow(
  { database, clock }: { database: Database; clock: Clock },
  recording: { id: string; ownerId: string },
  change: RecordingChange,
): Promise<boolean> {
  if (Object.values(change).every((value) => value === undefined)) return false;
  if (change.recordedTime !== undefined && !isPossible(change.recordedTime, clock.nowMs()))
    throw rejectField('/recordedTime', 'future');
  await database.transaction(async (transaction) => {
    if (change.recordedTime !== undefined) await storeBeganAt(transaction, recording.id);
    const wanted = await withUserTitle(transaction, recording.id, change);
    await transaction
      .updateTable('recordings')
      .set({ ...columnsOf(wanted), updated_at: clock.nowMs() })
      .where('id', '=', recording.id)
      .execute();
    if (change.tagIds !== undefined) await retag(transaction, recording, change.tagIds);
    await reindexRecording(transaction, recording.id);
  });
  return true;
}
