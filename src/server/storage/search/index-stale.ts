import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { believableCount } from '#server/storage/rows/believable.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { JoinedWords } from './joined-words.ts';
import { textsInPieces, wordsOf } from './recording-texts.ts';
import { joinShort, ownerWord } from './search-index.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { searchVersion, withTextWords, wordColumnsOf } from './text-words.ts';

/** A recording whose words must be joined again; `changes` counts the changes since they were last joined. */
export interface StaleRecording {
  id: string;
  owner_id: string;
  text_bytes: number;
  changes: number;
}

/** The largest batch joined in one transaction: short enough not to delay a take's appends. */
const joinedTogether = { recordings: 100, bytes: 64 * 1024 } as const;
/** How many rows have their words produced and stored together. */
const foldedTogether = { markers: 500, notes: 10 } as const;

/**
 * Returns the first of these recordings that are joined in one transaction. The batch has more than one only if
 * their texts are short.
 */
export function nextBatch(stale: readonly StaleRecording[]): StaleRecording[] {
  let bytes = 0;
  const end = stale.findIndex(({ text_bytes: own }, index) => {
    bytes += own;
    return index > 0 && (index >= joinedTogether.recordings || bytes > joinedTogether.bytes);
  });
  return stale.slice(0, end === -1 ? stale.length : end);
}

/** Produces the words of texts that have none by the current rules, and stores them next to the texts. */
async function foldMissing(
  database: Database,
  table: 'markers' | 'notes',
  ids: readonly string[],
): Promise<void> {
  const column = table === 'markers' ? 'label' : 'text';
  for (let after = ''; ;) {
    const { rows } = await sql<{
      id: string;
      text: string;
    }>`select id, ${sql.ref(column)} as text from ${sql.table(table)}
      where recording_id in (${sql.join(ids)}) and words_version <> ${searchVersion} and id > ${after} order by id limit ${foldedTogether[table]}`.execute(
      database.queries,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    const folded = await withTextWords(rows, ({ text }) => text);
    await database.transaction(async (transaction) => {
      for (const { id, text, ...words } of folded) {
        // A text that was changed in the meantime already has new words.
        await transaction
          .updateTable(table)
          .set(words)
          .where('id', '=', id)
          .where(sql.ref(column), '=', text)
          .execute();
      }
    });
    await setImmediate();
  }
}

async function foldTags(queries: Queries, ids: readonly string[]): Promise<void> {
  const tags = await queries
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('words_version', '<>', searchVersion)
    .where('id', 'in', (eb) =>
      eb.selectFrom('recording_tags').where('recording_id', 'in', ids).select('tag_id'),
    )
    .execute();
  for (const { id, name } of tags)
    await queries
      .updateTable('tags')
      .set(wordColumnsOf(name))
      .where('id', '=', id)
      .where('name', '=', name)
      .execute();
}

async function joinLong(database: Database, recording: StaleRecording): Promise<void> {
  const joined = new JoinedWords([ownerWord(recording.owner_id)]);
  for await (const texts of textsInPieces(database.queries, recording.id)) {
    for (const text of texts) joined.add(wordsOf(text));
    if (joined.isFull) break;
    await setImmediate();
  }
  await database.transaction(async (transaction) => {
    await lockRecordings(transaction, [recording.id]);
    const there = await transaction
      .selectFrom('recordings')
      .select('id')
      .where('id', '=', recording.id)
      .executeTakeFirst();
    if (!there) return;
    await transaction
      .insertInto('recording_words')
      .values({ recording_id: recording.id, words: joined.text, version: searchVersion })
      .onConflict((conflict) =>
        conflict
          .column('recording_id')
          .doUpdateSet((eb) => ({ words: eb.ref('excluded.words'), version: eb.ref('excluded.version') })),
      )
      .execute();
  });
}

async function joinBatch(database: Database, ids: readonly string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockRecordings(transaction, ids);
    await joinShort(
      transaction,
      await transaction.selectFrom('recordings').select(['id', 'owner_id']).where('id', 'in', ids).execute(),
    );
  });
}

/** Updates the index for one batch of `nextBatch`, in steps short enough not to block other requests. */
export async function indexBatch(database: Database, stale: readonly StaleRecording[]): Promise<void> {
  const ids = stale.map(({ id }) => id);
  await foldTags(database.queries, ids);
  await foldMissing(database, 'markers', ids);
  await foldMissing(database, 'notes', ids);
  const [first] = stale;
  if (first !== undefined && first.text_bytes > joinedTogether.bytes) await joinLong(database, first);
  else await joinBatch(database, ids);
  // A recording that changed again after its texts were read stays stale.
  for (const { id, changes } of stale) {
    // An unreadable count is always deleted: indexing once more than necessary does no harm.
    if (changes !== 0)
      await database.queries
        .deleteFrom('stale_words')
        .where('recording_id', '=', id)
        .where((eb) =>
          eb.or([
            eb('changes', '=', believableCount(changes)),
            eb.not(eb.between('changes', 0, Number.MAX_SAFE_INTEGER)),
          ]),
        )
        .execute();
  }
  await setImmediate();
}
