import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Clock } from '#base/clock.ts';
import type { BulkAction } from '#contract/library-api.ts';
import { rejectField } from '#server/http/validation.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { overfullRecording, indexOfForeignTag } from '#server/storage/rows/limited-rows.ts';
import { leaveLinksOff } from '#server/storage/rows/links-left-off.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { reindexRecordings } from '#server/storage/search/search-index.ts';
import type { AccessedRecording, RecordingAccess } from '#server/features/access/recording-access.ts';
import type { ChangeAnnouncer } from '#server/features/live/change-announcer.ts';
import { setStars } from './favourites.ts';

export interface BulkDeps {
  access: RecordingAccess;
  database: Database;
  clock: Clock;
  announce: Pick<ChangeAnnouncer, 'libraryChanged'>;
  /** Purges those of these recordings that are in the trash, without announcing it. Returns the purged ones. */
  purgeTrashed: (ids: readonly string[]) => Promise<{ id: string }[]>;
}

/** Recordings per transaction, few enough that other requests don't wait long. */
const together = 250;

async function rejectForeignTags(queries: Queries, ownerId: string, action: BulkAction): Promise<void> {
  const index = action.kind === 'tag' ? await indexOfForeignTag(queries, ownerId, action.add) : -1;
  if (index !== -1) throw rejectField(`/action/add/${index}`, 'unknown');
}

/** Recordings already in the wanted state keep their date, so that repeating a request changes nothing. */
const moved = (chosen: readonly AccessedRecording[], kind: 'trash' | 'restore'): string[] =>
  chosen.filter(({ deleted_at: at }) => (at === null) === (kind === 'trash')).map(({ id }) => id);

async function tag(
  transaction: Transaction<Schema>,
  ids: string[],
  { add, remove }: Extract<BulkAction, { kind: 'tag' }>,
): Promise<void> {
  if (remove.length > 0)
    await transaction
      .deleteFrom('recording_tags')
      .where('recording_id', 'in', ids)
      .where('tag_id', 'in', remove)
      .execute();
  for (const tagId of new Set(add)) {
    await transaction
      .insertInto('recording_tags')
      .values(ids.map((id) => ({ recording_id: id, tag_id: tagId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const full = add.length === 0 ? null : await overfullRecording(transaction, ids);
  if (full) throw rejectField('/action/add', 'too-many', full);
  await reindexRecordings(transaction, ids);
}

export type ChangeMany = (
  principal: SessionPrincipal,
  request: { ids: readonly string[]; action: BulkAction },
) => Promise<{ done: number; missing: string[] }>;

/**
 * Applies one action to many recordings in batches. Each batch is atomic; completed batches stay done if a later
 * one fails.
 */
export function createChangeMany({ access, database, clock, announce, purgeTrashed }: BulkDeps): ChangeMany {
  async function changePiece(
    principal: SessionPrincipal,
    ids: readonly string[],
    action: Extract<BulkAction, { kind: 'trash' | 'restore' | 'tag' }>,
  ): Promise<string[]> {
    return database.transaction(async (transaction) => {
      const right = action.kind === 'tag' ? 'change' : 'own';
      const chosen = await access.inTransaction(transaction).recordings(principal, ids, right);
      const changed = action.kind === 'tag' ? chosen.map(({ id }) => id) : moved(chosen, action.kind);
      if (changed.length === 0) return chosen.map(({ id }) => id);
      const nowMs = clock.nowMs();
      await lockRecordings(transaction, changed);
      await transaction
        .updateTable('recordings')
        .set({
          updated_at: nowMs,
          ...(action.kind === 'tag' ? {} : { deleted_at: action.kind === 'trash' ? nowMs : null }),
        })
        .where('id', 'in', changed)
        .execute();
      if (action.kind === 'restore' && action.isUndo !== true)
        await leaveLinksOff(transaction, changed, nowMs);
      if (action.kind === 'tag') await tag(transaction, changed, action);
      return chosen.map(({ id }) => id);
    });
  }

  async function starPiece(
    principal: SessionPrincipal,
    ids: readonly string[],
    isFavourite: boolean,
  ): Promise<string[]> {
    return database.transaction(async (transaction) => {
      await lockRecordings(transaction, ids);
      const opened = await access.inTransaction(transaction).recordings(principal, ids, 'listen');
      const openedIds = opened.map(({ id }) => id);
      await setStars(transaction, principal.userId, { ids: openedIds, isFavourite });
      return openedIds;
    });
  }

  async function purgePiece(principal: SessionPrincipal, ids: readonly string[]): Promise<string[]> {
    const own = await access.recordings(principal, ids, 'own');
    return own.length === 0 ? [] : (await purgeTrashed(own.map(({ id }) => id))).map(({ id }) => id);
  }

  async function doPiece(
    principal: SessionPrincipal,
    ids: readonly string[],
    action: BulkAction,
  ): Promise<string[]> {
    if (action.kind === 'purge') return purgePiece(principal, ids);
    return action.kind === 'favourite'
      ? starPiece(principal, ids, action.isFavourite)
      : changePiece(principal, ids, action);
  }

  return async (principal, { ids, action }) => {
    await rejectForeignTags(database.queries, principal.userId, action);
    const wanted = [...new Set(ids)];
    const done = new Set<string>();
    try {
      for (let from = 0; from < wanted.length; from += together) {
        const piece = wanted.slice(from, from + together);
        for (const id of await doPiece(principal, piece, action)) done.add(id);
        await setImmediate();
      }
    } finally {
      if (done.size > 0) announce.libraryChanged(principal.userId);
    }
    return { done: done.size, missing: wanted.filter((id) => !done.has(id)) };
  };
}
