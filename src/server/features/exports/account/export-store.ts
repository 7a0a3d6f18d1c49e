import type { Queries } from '#server/storage/database/database.ts';
import type { AccountExportEntryRow, AccountExportRow } from '#server/storage/database/schema.ts';

/** Entries per read or write, so that neither memory nor statements grow with the account. */
const batchSize = 200;

/** Finds the newest unexpired export of a user. */
export const latestExport = (
  queries: Queries,
  ownerId: string,
  nowMs: number,
): Promise<AccountExportRow | undefined> =>
  queries
    .selectFrom('account_exports')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('expires_at', '>', nowMs)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** Finds an unexpired export of this user. */
export const findExport = (
  queries: Queries,
  { id, ownerId, nowMs }: { id: string; ownerId: string; nowMs: number },
): Promise<AccountExportRow | undefined> =>
  queries
    .selectFrom('account_exports')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();

/** A file of an export without its text, which may be a long transcript. */
export type PlannedEntry = Omit<AccountExportEntryRow, 'content'>;

/** Yields entries in order of position, starting at `position`, in batches. */
export async function* entriesAfter(
  queries: Queries,
  exportId: string,
  position: number,
): AsyncGenerator<PlannedEntry> {
  for (let from = position; ;) {
    const rows = await queries
      .selectFrom('account_export_entries')
      .select([
        'export_id',
        'position',
        'path',
        'size_bytes',
        'crc32',
        'offset_bytes',
        'directory_bytes',
        'upload_id',
        'blob_key',
      ])
      .where('export_id', '=', exportId)
      .where('position', '>=', from)
      .orderBy('position')
      .limit(batchSize)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    from = last.position + 1;
  }
}

/** Reads the text of an entry that is not a stored upload. */
export async function contentOf(queries: Queries, exportId: string, position: number): Promise<string> {
  const row = await queries
    .selectFrom('account_export_entries')
    .select('content')
    .where('export_id', '=', exportId)
    .where('position', '=', position)
    .executeTakeFirst();
  if (row === undefined) throw new Error('the export was replaced while it was read');
  return row.content ?? '';
}

/** The last entry of an export: `export.json`. */
export const lastEntry = (
  queries: Queries,
  { id, entry_count: entryCount }: Pick<AccountExportRow, 'id' | 'entry_count'>,
): Promise<AccountExportEntryRow | undefined> =>
  queries
    .selectFrom('account_export_entries')
    .selectAll()
    .where('export_id', '=', id)
    .where('position', '=', entryCount - 1)
    .executeTakeFirst();

/** Finds the position of the entry that contains a byte of the files or of the directory. */
export async function positionAt(
  queries: Queries,
  exportId: string,
  at: { column: 'offset_bytes' | 'directory_bytes'; bytes: number },
): Promise<number> {
  const row = await queries
    .selectFrom('account_export_entries')
    .select('position')
    .where('export_id', '=', exportId)
    .where(at.column, '<=', at.bytes)
    .orderBy(at.column, 'desc')
    .executeTakeFirst();
  return row?.position ?? 0;
}

/**
 * Deletes the entries of an export in batches: deleting all entries of a large account in one statement would
 * delay the appends of all users.
 */
export async function deleteEntries(queries: Queries, exportId: string): Promise<void> {
  for (;;) {
    // Positions are compared in the database only, because one that this program can't read could not bound a
    // batch.
    const { numDeletedRows } = await queries
      .deleteFrom('account_export_entries')
      .where('export_id', '=', exportId)
      .where('position', 'in', (eb) =>
        eb
          .selectFrom('account_export_entries as first')
          .select('first.position')
          .where('first.export_id', '=', exportId)
          .orderBy('first.position')
          .limit(batchSize),
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows < batchSize) return;
  }
}

/** Deletes exports that have expired or were replaced, with their entries. */
export async function deleteExpiredExports(queries: Queries, nowMs: number): Promise<void> {
  for (const { id } of await queries
    .selectFrom('account_exports')
    .select('id')
    .where('expires_at', '<=', nowMs)
    .execute()) {
    await deleteEntries(queries, id);
    await queries.deleteFrom('account_exports').where('id', '=', id).execute();
  }
}

export async function insertEntries(queries: Queries, rows: readonly AccountExportEntryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batchSize)
    await queries
      .insertInto('account_export_entries')
      .values(rows.slice(from, from + batchSize))
      .execute();
}

/** Whether something in an export was purged after the export was made. */
export async function hasLostBytes(queries: Queries, exportId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('account_export_entries')
    .leftJoin('uploads', 'uploads.id', 'account_export_entries.upload_id')
    .select('position')
    .where('export_id', '=', exportId)
    .where('upload_id', 'is not', null)
    .where('uploads.id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a plan has an invalid number, so that no ZIP can be made from it. */
export async function hasUnreadableEntry(queries: Queries, exportId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('account_export_entries')
    .select('path')
    .where('export_id', '=', exportId)
    .where((eb) =>
      eb.or(
        (['position', 'size_bytes', 'crc32', 'offset_bytes', 'directory_bytes'] as const).map((column) =>
          eb.not(eb.between(column, 0, Number.MAX_SAFE_INTEGER)),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
