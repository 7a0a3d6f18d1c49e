import { sql } from 'kysely';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { tablesHere } from '#server/storage/database/tables-here.ts';

/** The types that both databases store. */
export type ColumnKind = 'text' | 'integer' | 'bytes';

export interface ColumnShape {
  name: string;
  kind: ColumnKind;
}

/** A table as both databases have it. */
export interface TableShape {
  name: string;
  columns: ColumnShape[];
}

/** Tables whose triggers count in the recording of a row. Together, the rows of one recording change it once. */
const readByRecording: ReadonlySet<string> = new Set(['markers', 'notes']);

/** The column in whose order the rows of a table are read. */
export const readingOrderOf = ({ name, columns }: TableShape): string =>
  readByRecording.has(name) ? 'recording_id' : (columns[0]?.name ?? '');

/**
 * Tables whose rows are not copied: each database fills them itself, or they describe the running servers of one
 * installation.
 */
const leftOutTables: readonly RegExp[] = [
  /^sqlite_/,
  // Written by the migrations.
  /^schema_migrations$/,
  // Exists during a restore.
  /^unfinished_restore$/,
  // Exists during a move.
  /^unfinished_move$/,
  // The search index, maintained by triggers on `recording_words`.
  /^recording_words_index/,
  /^words_by_title$/,
  // Counted by triggers on notes and markers.
  /^text_usage$/,
  // The bytes of recordings, which are copied as files.
  /^blobs$/,
  /^blob_pieces$/,
  /^blob_objects$/,
  /^unreferenced_objects$/,
  // The web app's files in the blob store. Servers store them again.
  /^web_builds$/,
  // Speech models in the blob store, which can be downloaded again.
  /^speech_models$/,
  // The backups that this installation made.
  /^backups$/,
  // Distinguishes this installation from its copies.
  /^backup_lineage$/,
  // Its running servers, and when its stored bytes were verified.
  /^nodes$/,
  /^verification_passes$/,
];

/** Whether a table is copied neither by a move nor by a backup. */
export const isLeftOut = ({ name }: Pick<TableShape, 'name'>): boolean =>
  leftOutTables.some((pattern) => pattern.test(name));

/**
 * Tables whose rows open something until they are used or revoked: sessions, pending sign-ins, links in emails,
 * tickets, visits of links, and answers to retried requests. A backup lives longer, and what was used or revoked must
 * not become valid again with it. Counts of failures and of requests are those of the last minutes. A move copies all
 * of them.
 */
const shortLivedTables: ReadonlySet<string> = new Set([
  'auth_flows',
  'export_tickets',
  'idempotency_keys',
  'link_tokens',
  'login_failures',
  'oauth_flows',
  'rate_limits',
  'sessions',
  'share_visits',
  'sign_in_failures',
]);

/** Whether a table is copied by a move, and left out of backups and restores. */
export const isShortLived = ({ name }: Pick<TableShape, 'name'>): boolean => shortLivedTables.has(name);

/** Columns that each database fills itself, by triggers or as generated columns. */
const leftOutColumns: Readonly<Record<string, readonly string[]>> = {
  recordings: ['words_seq', 'title_key'],
  recording_words: ['seq'],
};

/** Columns that triggers on other tables count. */
const countedColumns: Readonly<Record<string, readonly string[]>> = {
  recordings: ['text_bytes', 'labels_revision'],
};

/** Whether rows of this shape have what triggers counted, so that nothing has to be counted again. */
export const hasCounts = ({ name, columns }: TableShape): boolean =>
  countedColumns[name]?.every((counted) => columns.some((column) => column.name === counted)) === true;

const kinds: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  varchar: 'text',
  integer: 'integer',
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  blob: 'bytes',
  bytea: 'bytes',
};

/** @throws TypeError for a type that the other database does not have */
function kindOf(table: string, { name, dataType }: { name: string; dataType: string }): ColumnKind {
  const kind = kinds[dataType.toLowerCase()];
  if (kind === undefined)
    throw new TypeError(
      `${table}.${name} has the type ${dataType}, which cannot be copied between databases`,
    );
  return kind;
}

type Reference = { child: string; parent: string };

async function foreignKeys(queries: Queries, dialect: Database['dialect']): Promise<Reference[]> {
  const query =
    dialect === 'sqlite'
      ? sql<Reference>`select m.name as child, f."table" as parent from sqlite_master as m, pragma_foreign_key_list(m.name) as f where m.type = 'table'`
      : sql<Reference>`select c.relname as child, p.relname as parent from pg_constraint as k
          join pg_class as c on c.oid = k.conrelid join pg_class as p on p.oid = k.confrelid
          where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`;
  return (await query.execute(queries)).rows;
}

/** Sorts the tables so that each one follows those that it references. */
function inOrderOfReferences(tables: readonly TableShape[], references: readonly Reference[]): TableShape[] {
  const sorted: TableShape[] = [];
  const visited = new Set<string>();
  const visit = (table: TableShape): void => {
    if (visited.has(table.name)) return;
    visited.add(table.name);
    for (const parent of tables)
      if (references.some((each) => each.child === table.name && each.parent === parent.name)) visit(parent);
    sorted.push(table);
  };
  for (const table of tables) visit(table);
  return sorted;
}

/**
 * Returns the tables and columns that a copy of the database consists of, each table after those that it references.
 * @param options.withCounts whether to include the columns that triggers on other tables count
 * @throws TypeError when a column has a type that the other database does not have
 */
export async function tableShapesOf(
  queries: Queries,
  dialect: Database['dialect'],
  { withCounts = false }: { withCounts?: boolean } = {},
): Promise<TableShape[]> {
  const isLeftOutColumn = (table: string, column: string): boolean =>
    leftOutColumns[table]?.includes(column) === true ||
    (!withCounts && countedColumns[table]?.includes(column) === true);
  const tables = (await tablesHere(queries, dialect))
    .filter((table) => !table.isView && !isLeftOut(table))
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .filter((column) => !isLeftOutColumn(name, column.name))
        .map((column) => ({ name: column.name, kind: kindOf(name, column) })),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return inOrderOfReferences(tables, await foreignKeys(queries, dialect));
}
