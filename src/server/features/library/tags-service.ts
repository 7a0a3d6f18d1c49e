import type { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { foldForSearch } from '#base/text.ts';
import type { changeTag, createTag, Tag } from '#contract/library-api.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { awaitedPriority, type JobQueue } from '#server/jobs/job-queue.ts';
import { knownColour } from '#server/storage/rows/known-values.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { TagRow } from '#server/storage/database/schema.ts';
import { exceededLimit } from '#server/storage/rows/limited-rows.ts';
import { markStaleWithTag } from '#server/storage/search/search-index.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import { indexJob } from './index-job.ts';

export interface TagsDeps {
  database: Database;
  clock: Clock;
  queue: JobQueue;
  announce: Pick<ChangeAnnouncer, 'libraryChanged'>;
}

const present = (row: TagRow): Tag => ({ id: row.id, name: row.name, colour: knownColour(row.colour) });

const findTag = (queries: Queries, id: string): Promise<TagRow | undefined> =>
  queries.selectFrom('tags').selectAll().where('id', '=', id).executeTakeFirst();

/** The form in which names are compared. A name without letters is compared as it is. */
const keyOf = (name: string): string => foldForSearch(name) || name;

/** The operations on tags. */
export interface TagsService {
  list(ownerId: string): Promise<Tag[]>;
  create(ownerId: string, tag: z.output<typeof createTag.body>): Promise<{ created: boolean; tag: Tag }>;
  change(ownerId: string, id: string, change: z.output<typeof changeTag.body>): Promise<Tag>;
  remove(ownerId: string, id: string): Promise<void>;
}

async function owned(queries: Queries, ownerId: string, id: string): Promise<TagRow> {
  const row = await findTag(queries, id);
  if (row?.owner_id !== ownerId) throw new ProblemError('not-found');
  return row;
}

/** Marks recordings with this tag as outdated in the search index. The job updates them. */
async function reindexAll({ queue }: TagsDeps, queries: Queries, tagId: string): Promise<void> {
  await markStaleWithTag(queries, tagId);
  await queue.enqueue(queries, {
    kind: indexJob,
    payload: null,
    dedupeKey: 'all',
    priority: awaitedPriority,
  });
}

async function withTakenNameRejected<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw database.constraintOf(error) === 'unique' ? rejectField('/name', 'taken') : error;
  }
}

/** Returns the tag with this id, or inserts it. */
function findOrInsert(
  { database, clock }: TagsDeps,
  ownerId: string,
  { id, name, colour }: z.output<typeof createTag.body>,
): Promise<{ created: boolean; row: TagRow }> {
  return withTakenNameRejected(database, () =>
    database.transaction(async (transaction) => {
      const full = await exceededLimit(database, transaction, { table: 'tags', ownerId, added: 1 });
      const before = await findTag(transaction, id);
      if (before && before.owner_id !== ownerId) throw rejectField('/id', 'taken');
      if (before) return { created: false, row: before };
      if (full) throw rejectField('/id', 'too-many', full);
      const row: TagRow = {
        id,
        owner_id: ownerId,
        name,
        name_folded: keyOf(name),
        colour,
        created_at: clock.nowMs(),
      };
      await transaction
        .insertInto('tags')
        .values({ ...row, ...wordColumnsOf(name) })
        .execute();
      return { created: true, row };
    }),
  );
}

function update(
  deps: TagsDeps,
  tag: { id: string; ownerId: string },
  { name, colour }: z.output<typeof changeTag.body>,
): Promise<TagRow> {
  return withTakenNameRejected(deps.database, () =>
    deps.database.transaction(async (transaction) => {
      const before = await owned(transaction, tag.ownerId, tag.id);
      const renamed = name === undefined ? {} : { name, name_folded: keyOf(name) };
      const after: TagRow = { ...before, ...renamed, ...(colour === undefined ? {} : { colour }) };
      await transaction
        .updateTable('tags')
        .set({ ...renamed, ...(name === undefined ? {} : wordColumnsOf(name)), colour: after.colour })
        .where('id', '=', tag.id)
        .execute();
      if (after.name !== before.name) await reindexAll(deps, transaction, tag.id);
      return after;
    }),
  );
}

/** The rules of tags: each belongs to one user, and a user's tags have different names. */
export function createTagsService(deps: TagsDeps): TagsService {
  const { database, queue, announce } = deps;

  function notifyChanged(ownerId: string): void {
    queue.wake();
    announce.libraryChanged(ownerId);
  }

  return {
    async list(ownerId) {
      return (
        await database.queries
          .selectFrom('tags')
          .selectAll()
          .where('owner_id', '=', ownerId)
          .orderBy('name_folded')
          .orderBy('id')
          .execute()
      ).map(present);
    },
    async create(ownerId, tag) {
      const { created, row } = await findOrInsert(deps, ownerId, tag);
      if (created) announce.libraryChanged(ownerId);
      return { created, tag: present(row) };
    },
    async change(ownerId, id, change) {
      const changed = await update(deps, { id, ownerId }, change);
      notifyChanged(ownerId);
      return present(changed);
    },
    async remove(ownerId, id) {
      const row = await findTag(database.queries, id);
      if (!row) return;
      if (row.owner_id !== ownerId) throw new ProblemError('not-found');
      await database.transaction(async (transaction) => {
        await reindexAll(deps, transaction, id);
        await transaction.deleteFrom('tags').where('id', '=', id).execute();
      });
      notifyChanged(ownerId);
    },
  };
}
