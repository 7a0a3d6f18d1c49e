import type { FastifyReply } from 'fastify';
import type { Clock } from '#base/clock.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ShareGrant } from '#server/http/share-grant.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';
import { countListen } from './link-counts.ts';
import { findVisit, type VisitCookies } from './visits.ts';

export interface ListenDeps {
  database: Database;
  clock: Clock;
  visits: VisitCookies;
}

/** Whether the browser of a grant has started one of the counted listens of its link. */
export async function hasStarted(
  { database }: Pick<ListenDeps, 'database'>,
  { visit }: ShareGrant,
): Promise<boolean> {
  if (visit === null) return false;
  return ((await findVisit(database.queries, visit))?.listened_at ?? null) !== null;
}

/**
 * Counts a listen. Where the number is limited, the visit of this browser counts once, so that reloading its page
 * uses nothing up.
 * @throws share-ended (410) if no listen is left
 */
export async function startListen(
  deps: ListenDeps,
  { share, grant, reply }: { share: ShareRow; grant: ShareGrant; reply: FastifyReply },
): Promise<void> {
  const { database, clock, visits } = deps;
  const isLimited = share.max_listens !== null;
  if (isLimited && (await hasStarted(deps, grant))) return;
  const nowMs = clock.nowMs();
  await database.transaction(async (transaction) => {
    if (!(await countListen(transaction, share.id, nowMs)))
      throw new ProblemError('share-ended', { reason: 'used-up' });
    if (!isLimited) return;
    if (grant.visit === null) await visits.start(transaction, reply, { share, listenedAtMs: nowMs, nowMs });
    else
      await transaction
        .updateTable('share_visits')
        .set({ listened_at: nowMs })
        .where('visit_hash', '=', grant.visit)
        .execute();
  });
}
