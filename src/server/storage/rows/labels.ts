import { type RawBuilder, sql } from 'kysely';
import { believableMarker, believableNote } from './believable.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { NoteRow, MarkerRow } from '#server/storage/database/schema.ts';

/** The columns of a marker, without its search words, which can be longer than everything else. */
export const markerColumns = [
  'id',
  'recording_id',
  'at_ms',
  'label',
  'colour',
  'created_by',
  'created_at',
] as const;

/** The columns of a note, without its search words. */
export const noteColumns = [
  'id',
  'recording_id',
  'from_ms',
  'to_ms',
  'text',
  'revision',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** Returns the displayable markers of one recording in time order. */
export const markersOf = async (queries: Queries, recordingId: string): Promise<MarkerRow[]> =>
  (
    await queries
      .selectFrom('markers')
      .select(markerColumns)
      .where('recording_id', '=', recordingId)
      .orderBy('at_ms')
      .orderBy('id')
      .execute()
  ).map(believableMarker);

/** Returns the displayable notes of one recording in time order. */
export const storedNotesOf = async (queries: Queries, recordingId: string): Promise<NoteRow[]> =>
  (
    await queries
      .selectFrom('notes')
      .select(noteColumns)
      .where('recording_id', '=', recordingId)
      .orderBy('from_ms')
      .orderBy('id')
      .execute()
  ).map(believableNote);

/** The place of a marker or note in the order of its recording. */
export interface LabelPlace {
  atMs: number;
  id: string;
}

/** A displayable label with its place. */
interface PlacedLabel<Row> {
  row: Row;
  place: LabelPlace;
}

/** Which labels of a recording are read: all, those after a place, those within a time. */
interface LabelsWanted {
  recordingId: string;
  after?: LabelPlace | null;
  fromMs?: number;
  /** Exclusive. */
  toMs?: number;
}

/** About this many characters are read by one query: a note has up to 20,000, a marker often none. */
const queriedLength = 64 * 1024;
const rowsPerQuery = { first: 16, fewest: 4, max: 500 } as const;

/** The rows of a list after a place, in order. */
async function* inPages<Row>(
  read: (
    after: LabelPlace | null,
    limit: number,
  ) => Promise<{ row: Row; place: LabelPlace; length: number }[]>,
  start: LabelPlace | null,
): AsyncGenerator<PlacedLabel<Row>[], void> {
  let [after, limit] = [start, rowsPerQuery.first as number];
  for (;;) {
    const page = await read(after, limit);
    const last = page.at(-1)?.place ?? null;
    // A damaged time beyond the exact numbers leads to the same page again.
    if (last !== null && last.id === after?.id) return;
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = last;
    const meanLength = 1 + page.reduce((sum, { length }) => sum + length, 0) / page.length;
    limit = Math.max(rowsPerQuery.fewest, Math.min(rowsPerQuery.max, Math.floor(queriedLength / meanLength)));
  }
}

/** Without a time, rows of unbelievable times are read too: they are shown at the nearest believable one. */
const within = (
  column: 'at_ms' | 'from_ms',
  { fromMs = -Infinity, toMs = Infinity }: LabelsWanted,
): RawBuilder<boolean> => {
  const limits = [
    ...(Number.isFinite(fromMs) ? [sql`${sql.ref(column)} >= ${Math.ceil(fromMs)}`] : []),
    ...(Number.isFinite(toMs) ? [sql`${sql.ref(column)} < ${Math.ceil(toMs)}`] : []),
    sql`1 = 1`,
  ];
  return sql<boolean>`(${sql.join(limits, sql` and `)})`;
};

const behind = (column: 'at_ms' | 'from_ms', after: LabelPlace | null) =>
  after === null
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${sql.ref(column)}, id) > (${after.atMs}, ${after.id})`;

/** Reads the displayable markers of one recording in time order, in pages of about 64,000 characters. */
export const markerPages = (
  queries: Queries,
  wanted: LabelsWanted,
): AsyncGenerator<PlacedLabel<MarkerRow>[], void> =>
  inPages(async (after, limit) => {
    const rows = await queries
      .selectFrom('markers')
      .select(markerColumns)
      .where('recording_id', '=', wanted.recordingId)
      .where(within('at_ms', wanted))
      .where(behind('at_ms', after))
      .orderBy('at_ms')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      row: believableMarker(row),
      place: { atMs: row.at_ms, id: row.id },
      length: row.label.length,
    }));
  }, wanted.after ?? null);

/** Reads the displayable notes of one recording in time order, in pages of about 64,000 characters. */
export const notePages = (
  queries: Queries,
  wanted: LabelsWanted,
): AsyncGenerator<PlacedLabel<NoteRow>[], void> =>
  inPages(async (after, limit) => {
    const rows = await queries
      .selectFrom('notes')
      .select(noteColumns)
      .where('recording_id', '=', wanted.recordingId)
      .where(within('from_ms', wanted))
      .where(behind('from_ms', after))
      .orderBy('from_ms')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      row: believableNote(row),
      place: { atMs: row.from_ms, id: row.id },
      length: row.text.length,
    }));
  }, wanted.after ?? null);
