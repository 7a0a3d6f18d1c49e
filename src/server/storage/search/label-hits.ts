import { sql, type RawBuilder } from 'kysely';
import { termsOf } from '#base/search/locate-words.ts';
import type { WantedWords } from '#base/search-words.ts';
import { believableLength } from '#server/storage/rows/believable.ts';
import type { Database } from '#server/storage/database/database.ts';

/** A marker or note of a recording that has wanted words. */
export interface LabelHit {
  kind: 'marker' | 'note';
  text: string;
  atMs: number;
  /** How many of the wanted words it has. */
  found: number;
  /** How many labels of its kind have as many. */
  alike: number;
}

/** So many labels of a recording are looked at, the earliest first; a hit behind them is not named. */
const lookedAt = { markers: 1000, notes: 50 } as const;

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
  const looked = sql`select id, ${text} as text, ${time} as at_ms, words from ${sql.table(table)} where recording_id = ${recordingId} order by ${time}, id limit ${sql.lit(lookedAt[table])}`;
  const scored = sql`select id, text, at_ms, ${scoreOf(database, wanted)} as found from (${looked}) as looked`;
  const { rows } =
    await sql<Row>`select text, at_ms, found, count(*) over (partition by found) as alike from (${scored}) as scored where found > 0 order by found desc, at_ms, id limit 1`.execute(
      database.queries,
    );
  return rows[0];
}

/** The marker and the note of a recording that have most of the wanted words, the earliest of several. */
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

/** Which of these recordings have any text at a moment: the others need not be looked through. */
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
