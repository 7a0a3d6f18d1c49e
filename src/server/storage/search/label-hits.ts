import { sql, type RawBuilder } from 'kysely';
import { termsOf } from '#base/search/locate-words.ts';
import type { WantedWords } from '#base/search-words.ts';
import { believableLength } from '#server/storage/rows/believable.ts';
import type { Database } from '#server/storage/database/database.ts';

/** A marker, a note or a line of a transcript that contains some of the wanted words. */
export interface LabelHit {
  kind: 'marker' | 'note' | 'transcript';
  text: string;
  atMs: number;
  /** How many of the wanted words it contains. */
  found: number;
  /** How many labels of its kind contain as many. */
  alike: number;
}

/** How many labels per recording are searched, earliest first; later hits are not shown. */
const searchedLabels = { markers: 1000, notes: 50 } as const;

/** How many of the wanted words the column `words` of a row contains. */
export function scoreOf({ dialect }: Pick<Database, 'dialect'>, wanted: WantedWords): RawBuilder<number> {
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos');
  return sql<number>`(${sql.join(
    termsOf(wanted).map(
      ({ word, isPrefix }) =>
        sql`case when ${position}(words, ${isPrefix ? ` ${word}` : ` ${word} `}) > 0 then 1 else 0 end`,
    ),
    sql` + `,
  )})`;
}

interface Row {
  text: string;
  at_ms: number;
  found: number;
  alike: number;
}

interface Searched {
  recordingId: string;
  wanted: WantedWords;
  /** How many bytes of notes and labels the recording has. */
  textBytes: number;
}

/** Up to this size all labels of a recording are searched by one statement. */
const searchedTogetherBytes = 256 * 1024;
/** Otherwise by statements of so many labels, between which other requests have their turn. */
const searchedAtOnce = { markers: 200, notes: 5 } as const;

async function bestAmong(
  database: Database,
  table: 'markers' | 'notes',
  { recordingId, wanted, start, count }: Searched & { start: number; count: number },
): Promise<Row | undefined> {
  const [text, time] =
    table === 'markers' ? [sql.ref('label'), sql.ref('at_ms')] : [sql.ref('text'), sql.ref('from_ms')];
  const searched = sql`select id, ${text} as text, ${time} as at_ms, words from ${sql.table(table)} where recording_id = ${recordingId} order by ${time}, id limit ${sql.lit(count)} offset ${sql.lit(start)}`;
  const scored = sql`select id, text, at_ms, ${scoreOf(database, wanted)} as found from (${searched}) as searched`;
  const { rows } =
    await sql<Row>`select text, at_ms, found, count(*) over (partition by found) as alike from (${scored}) as scored where found > 0 order by found desc, at_ms, id limit 1`.execute(
      database.queries,
    );
  return rows[0];
}

async function bestOf(
  database: Database,
  table: 'markers' | 'notes',
  searched: Searched,
): Promise<Row | undefined> {
  const all = searchedLabels[table];
  const count = searched.textBytes <= searchedTogetherBytes ? all : searchedAtOnce[table];
  let best: Row | undefined;
  for (let start = 0; start < all; start += count) {
    const found = await bestAmong(database, table, { ...searched, start, count });
    if (found === undefined) continue;
    if (best === undefined || Number(found.found) > Number(best.found)) best = found;
    else if (Number(found.found) === Number(best.found))
      best = { ...best, alike: Number(best.alike) + Number(found.alike) };
  }
  return best;
}

/** Returns the marker and the note with the most wanted words, the earliest of equals. */
export async function labelHitsOf(database: Database, searched: Searched): Promise<LabelHit[]> {
  const hits: LabelHit[] = [];
  for (const [table, kind] of [
    ['markers', 'marker'],
    ['notes', 'note'],
  ] as const) {
    const best = await bestOf(database, table, searched);
    if (best)
      hits.push({
        kind,
        text: best.text,
        atMs: believableLength(best.at_ms),
        found: Number(best.found),
        alike: Number(best.alike),
      });
  }
  return hits;
}

/** Returns how many bytes of notes and marker labels these recordings have; those without any are left out. */
export async function textBytesOf(
  { queries }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await queries
    .selectFrom('recordings')
    .select(['id', 'text_bytes'])
    .where('id', 'in', ids)
    .where('text_bytes', '>', 0)
    .execute();
  return new Map(rows.map(({ id, text_bytes: textBytes }) => [id, textBytes]));
}
