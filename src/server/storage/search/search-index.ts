import { type Expression, sql } from 'kysely';
import type { Queries } from '#server/storage/database/database.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { JoinedWords } from './joined-words.ts';
import { allTextBytes, textsOf, wordsOf } from './recording-texts.ts';
import { searchVersion } from './text-words.ts';

export { searchVersion };

/**
 * Up to this size of texts, a recording is indexed in the request that changes it; a larger one is left to the
 * index job.
 */
const joinedAtOnceBytes = 16 * 1024;
/** The total size of texts that one call indexes itself. */
const joinedTogetherBytes = 256 * 1024;
const together = 200;

/**
 * A word that every recording of an owner contains. It starts with a private-use character, so no user can type
 * it.
 */
export const ownerWord = (ownerId: string): string => `\ue000${ownerId.replaceAll('-', '')}`;

/**
 * Marks recordings as stale until the index job has joined their words again. The job sees from the count whether
 * a recording changed in the meantime.
 */
async function markStale(queries: Queries, ids: Expression<string>): Promise<void> {
  await queries
    .insertInto('stale_words')
    .columns(['recording_id', 'changes'])
    .expression((eb) =>
      eb
        .selectFrom('recordings')
        .where('id', 'in', ids)
        .select(['id', eb.lit(1).as('changes')]),
    )
    .onConflict((conflict) =>
      conflict.column('recording_id').doUpdateSet({ changes: sql`stale_words.changes + 1` }),
    )
    .execute();
}

/** Marks every recording with a tag as stale. */
export async function markStaleWithTag(queries: Queries, tagId: string): Promise<void> {
  await markStale(queries, sql`(select recording_id from recording_tags where tag_id = ${tagId})`);
}

interface Owned {
  id: string;
  owner_id: string;
  text_bytes: number;
}

/** Joins the words of all texts of recordings with short texts. */
export async function joinShort(
  queries: Queries,
  recordings: readonly Pick<Owned, 'id' | 'owner_id'>[],
): Promise<void> {
  if (recordings.length === 0) return;
  const joined = new Map(
    recordings.map(({ id, owner_id: ownerId }) => [id, new JoinedWords([ownerWord(ownerId)])]),
  );
  for (const text of await textsOf(
    queries,
    recordings.map(({ id }) => id),
  ))
    joined.get(text.recording_id)?.add(wordsOf(text));
  await queries
    .insertInto('recording_words')
    .values([...joined].map(([id, { text }]) => ({ recording_id: id, words: text, version: searchVersion })))
    .onConflict((conflict) =>
      conflict
        .column('recording_id')
        .doUpdateSet((eb) => ({ words: eb.ref('excluded.words'), version: eb.ref('excluded.version') })),
    )
    .execute();
}

/** Divides recordings into those that are indexed now and those that are left to the job. */
function divide(recordings: readonly Owned[]): { short: Owned[]; long: Owned[] } {
  const [short, long]: [Owned[], Owned[]] = [[], []];
  let bytes = 0;
  for (const recording of recordings) {
    const isShort =
      recording.text_bytes <= joinedAtOnceBytes && bytes + recording.text_bytes <= joinedTogetherBytes;
    if (isShort) bytes += recording.text_bytes;
    (isShort ? short : long).push(recording);
  }
  return { short, long };
}

/**
 * Updates the search index of these recordings: immediately if they have few texts, else soon, in the index job.
 * So the cost of one change does not grow with the recording's other texts. Call it in the transaction that
 * changes a title, label, tag or name.
 */
export async function reindexRecordings(queries: Queries, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += together) {
    const some = ids.slice(from, from + together);
    // Without the lock, of two transactions that each read all texts but the other's, the later one would
    // overwrite the earlier one's words.
    await lockRecordings(queries, some);
    const { short, long } = divide(
      await queries
        .selectFrom('recordings')
        .select(['id', 'owner_id', allTextBytes.as('text_bytes')])
        .where('id', 'in', some)
        .execute(),
    );
    await joinShort(queries, short);
    if (long.length > 0) await markStale(queries, sql`(${sql.join(long.map(({ id }) => id))})`);
  }
}

/** Updates the search index of one recording. */
export const reindexRecording = (queries: Queries, recordingId: string): Promise<void> =>
  reindexRecordings(queries, [recordingId]);
