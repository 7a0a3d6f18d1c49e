import { sql, type RawBuilder } from 'kysely';
import { termsOf } from '#base/search/locate-words.ts';
import type { WantedWords } from '#base/search-words.ts';
import { believableLength } from '#server/storage/rows/believable.ts';
import type { Database } from '#server/storage/database/database.ts';

/** A marker or note that contains some of the wanted words. */
export interface LabelHit {
  kind: 'marker' | 'note';
  text: string;
  atMs: number;
  /** How many of the wanted words it contains. */
  found: number;
  /** How many labels of its kind contain as many. */
  alike: number;
}

/** How many labels per recording are searched, earliest first; later hits are not shown. */
const searchedLabels = { markers: 1000, notes: 50 } as const;

function scoreOf({ dialect }: Database, wanted: WantedWords): RawBuilder<number> {
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

async function bestOf(
  database: Database,
  table: 'markers' | 'notes',
  { recordingId, wanted }: { recordingId: string; wanted: WantedWords },
): Promise<Row | undefined> {
  const [text, time] =
    table === 'markers' ? [sql.ref('label'), sql.ref('at_ms')] : [sql.ref('text'), sql.ref('from_ms')];
  const searched = sql`select id, ${text} as text, ${time} as at_ms, words from ${sql.table(table)} where recording_id = ${recordingId} order by ${time}, id limit ${sql.lit(searchedLabels[table])}`;
  const scored = sql`select id, text, at_ms, ${scoreOf(database, wanted)} as found from (${searched}) as searched`;
  const { rows } =
    await sql<Row>`select text, at_ms, found, count(*) over (partition by found) as alike from (${scored}) as scored where found > 0 order by found desc, at_ms, id limit 1`.execute(
      database.queries,
    );
  return rows[0];
}

/** Returns the marker and the note with the most wanted words, the earliest of equals. */
export async function labelHitsOf(
  database: Database,
  recordingId: string,
  wanted: WantedWords,
): Promise<LabelHit[]> {
  const hits: LabelHit[] = [];
  for (const [table, kind] of [
    ['markers', 'marker'],
    ['notes', 'note'],
  ] as const) {
    const best = await bestOf(database, table, { recordingId, wanted });
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

/** Returns which of these recordings have any notes or marker labels; the others need not be searched. */
export async function withLabels(
  { queries }: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries
    .selectFrom('recordings')
    .select('id')
    .where('id', 'in', ids)
    .where('text_bytes', '>', 0)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
