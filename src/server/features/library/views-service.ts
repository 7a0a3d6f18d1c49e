import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { changeView, createView, SavedView } from '#contract/library-api.ts';
import { viewFieldsSchema } from '#contract/recording-filter.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { SavedViewRow } from '#server/storage/database/schema.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import { boundsOf } from './day-bounds.ts';

export interface ViewsDeps {
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'libraryChanged'>;
}

const present = ({ id, name, query }: SavedViewRow): SavedView => ({ id, name, query });

/**
 * A view's query must be one that the list supports.
 * @throws validation (422)
 */
function rejectUnknownQuery(query: string): void {
  const fields = new URLSearchParams(query);
  const parsed = viewFieldsSchema.safeParse(
    Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name).join(',')])),
  );
  if (!parsed.success || /\0|\p{Surrogate}/u.test(decodeURIComponent(fields.toString())))
    throw rejectField('/query', 'query');
  boundsOf(parsed.data);
}

/** Whether a query is valid for a saved view. */
export function isViewQuery(query: string): boolean {
  try {
    rejectUnknownQuery(query);
    return true;
  } catch (error) {
    if (error instanceof ProblemError || error instanceof URIError) return false;
    throw error;
  }
}

/** The operations on saved views. */
export interface ViewsService {
  list(ownerId: string): Promise<SavedView[]>;
  create(
    ownerId: string,
    view: z.output<typeof createView.body>,
  ): Promise<{ created: boolean; view: SavedView }>;
  change(ownerId: string, id: string, change: z.output<typeof changeView.body>): Promise<SavedView>;
  remove(ownerId: string, id: string): Promise<void>;
}

const findView = (queries: Queries, id: string): Promise<SavedViewRow | undefined> =>
  queries.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns the view with this id, or inserts it. */
function findOrInsert(
  { database, clock }: ViewsDeps,
  ownerId: string,
  { id, name, query }: z.output<typeof createView.body>,
): Promise<{ created: boolean; row: SavedViewRow }> {
  return database.transaction(async (transaction) => {
    const full = await exceededLimit(database, transaction, { table: 'saved_views', ownerId, added: 1 });
    const before = await findView(transaction, id);
    if (before && before.owner_id !== ownerId) throw rejectField('/id', 'taken');
    if (before) return { created: false, row: before };
    if (full) throw rejectField('/id', 'too-many', full);
    const row: SavedViewRow = { id, owner_id: ownerId, name, query, created_at: clock.nowMs() };
    await transaction.insertInto('saved_views').values(row).execute();
    return { created: true, row };
  });
}

/** The rules of saved views: each belongs to one user and has a query that the list supports. */
export function createViewsService(deps: ViewsDeps): ViewsService {
  const {
    database: { queries },
    announce,
  } = deps;

  return {
    async list(ownerId) {
      return (
        await queries
          .selectFrom('saved_views')
          .selectAll()
          .where('owner_id', '=', ownerId)
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(present);
    },
    async create(ownerId, view) {
      rejectUnknownQuery(view.query);
      const { created, row } = await findOrInsert(deps, ownerId, view);
      if (created) announce.libraryChanged(ownerId);
      return { created, view: present(row) };
    },
    async change(ownerId, id, { name, query }) {
      if (query !== undefined) rejectUnknownQuery(query);
      const before = await findView(queries, id);
      if (before?.owner_id !== ownerId) throw new ProblemError('not-found');
      const after: SavedViewRow = {
        ...before,
        ...(name === undefined ? {} : { name }),
        ...(query === undefined ? {} : { query }),
      };
      await queries
        .updateTable('saved_views')
        .set({ name: after.name, query: after.query })
        .where('id', '=', id)
        .execute();
      announce.libraryChanged(ownerId);
      return present(after);
    },
    async remove(ownerId, id) {
      const row = await findView(queries, id);
      if (!row) return;
      if (row.owner_id !== ownerId) throw new ProblemError('not-found');
      await queries.deleteFrom('saved_views').where('id', '=', id).execute();
      announce.libraryChanged(ownerId);
    },
  };
}
