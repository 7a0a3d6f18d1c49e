import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { limits } from '#contract/limits.ts';
import type { changeView, createView, SavedView } from '#contract/library-api.ts';
import { viewFieldsSchema } from '#contract/recording-filter.ts';
import { ProblemError } from '../../http/problem.ts';
import { refuseField } from '../../http/validation.ts';
import type { Database } from '../../storage/database/database.ts';
import type { SavedViewRow } from '../../storage/database/library-schema.ts';
import type { ChangeAnnouncer } from '../live/change-announcer.ts';
import { boundsOf } from './day-bounds.ts';

export interface ViewsDeps { database: Database; clock: Clock; announce: Pick<ChangeAnnouncer, 'libraryChanged'> }

const present = ({ id, name, query }: SavedViewRow): SavedView => ({ id, name, query });

/** A view has to show what the list can show; validation (422) for any other query. */
function refuseUnknownQuery(query: string): void {
  const fields = new URLSearchParams(query);
  const parsed = viewFieldsSchema.safeParse(Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name).join(',')])));
  if (!parsed.success || /\0|\p{Surrogate}/u.test(decodeURIComponent(fields.toString()))) throw refuseField('/query', 'query');
  boundsOf(parsed.data);
}

/** Whether a saved view could show what this query says. */
export function isViewQuery(query: string): boolean {
  try {
    refuseUnknownQuery(query);
    return true;
  } catch (error) {
    if (error instanceof ProblemError || error instanceof URIError) return false;
    throw error;
  }
}

/** What may be done with saved views. */
export interface ViewsService {
  list(ownerId: string): Promise<SavedView[]>;
  create(ownerId: string, view: z.output<typeof createView.body>): Promise<{ created: boolean; view: SavedView }>;
  change(ownerId: string, id: string, change: z.output<typeof changeView.body>): Promise<SavedView>;
  remove(ownerId: string, id: string): Promise<void>;
}

/** The rules of saved views: each belongs to one person and shows what the list can show. */
export function createViewsService({ database, clock, announce }: ViewsDeps): ViewsService {
  const { queries } = database;
  const find = (id: string): Promise<SavedViewRow | undefined> => queries.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst();

  return {
    async list(ownerId) {
      return (await queries.selectFrom('saved_views').selectAll().where('owner_id', '=', ownerId).orderBy('created_at').orderBy('id').execute()).map(present);
    },
    async create(ownerId, { id, name, query }) {
      refuseUnknownQuery(query);
      const before = await find(id);
      if (before && before.owner_id !== ownerId) throw refuseField('/id', 'taken');
      if (before) return { created: false, view: present(before) };
      const { n } = await queries.selectFrom('saved_views').select((eb) => eb.fn.countAll<number>().as('n')).where('owner_id', '=', ownerId).executeTakeFirstOrThrow();
      if (Number(n) >= limits.savedViews) throw refuseField('/id', 'too-many', { largest: limits.savedViews });
      const row: SavedViewRow = { id, owner_id: ownerId, name, query, created_at: clock.nowMs() };
      await queries.insertInto('saved_views').values(row).onConflict((conflict) => conflict.column('id').doNothing()).execute();
      announce.libraryChanged(ownerId);
      return { created: true, view: present(row) };
    },
    async change(ownerId, id, { name, query }) {
      if (query !== undefined) refuseUnknownQuery(query);
      const before = await find(id);
      if (before?.owner_id !== ownerId) throw new ProblemError('not-found');
      const after: SavedViewRow = { ...before, ...(name === undefined ? {} : { name }), ...(query === undefined ? {} : { query }) };
      await queries.updateTable('saved_views').set({ name: after.name, query: after.query }).where('id', '=', id).execute();
      announce.libraryChanged(ownerId);
      return present(after);
    },
    async remove(ownerId, id) {
      const row = await find(id);
      if (!row) return;
      if (row.owner_id !== ownerId) throw new ProblemError('not-found');
      await queries.deleteFrom('saved_views').where('id', '=', id).execute();
      announce.libraryChanged(ownerId);
    },
  };
}
