import { instantOf } from '#base/instant.ts';
import {
  endOtherSessions,
  endSession,
  listSessions as listSessionsEndpoint,
  type Device,
} from '#contract/credentials-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { SessionRow } from '#server/storage/database/schema.ts';
import { recordEvent } from '#server/features/accounts/audit-log.ts';
import { presentTake } from './present-take.ts';
import { requireRecentAuth } from './require-recent-auth.ts';
import { announceEnded, type EndedSessions, endSessionsOf, listSessions } from './sessions-of-user.ts';
import { isShared } from './sessions-store.ts';
import type { SessionsDeps } from './sessions-deps.ts';

const present = (row: SessionRow, currentId: string): Device => ({
  id: row.id,
  label: row.label,
  method: row.method,
  createdAt: instantOf(row.created_at),
  lastSeenAt: instantOf(row.last_seen_at),
  ipPrefix: row.ip_prefix,
  isCurrent: row.id === currentId,
  isShared: isShared(row),
});

/** Ends sessions of the caller. Closes their open connections after the commit. */
async function end(
  deps: SessionsDeps,
  which: EndedSessions,
  by: { userId: string; ip: string },
): Promise<SessionRow[]> {
  const ended = await deps.database.transaction(async (transaction) => {
    const rows = await endSessionsOf(deps, transaction, { userId: by.userId, ...which });
    for (const { id } of rows)
      await recordEvent(transaction, deps.clock, {
        action: 'session.ended',
        actorId: by.userId,
        subject: id,
        ip: by.ip,
        detail: { reason: 'revoked' },
      });
    return rows;
  });
  announceEnded(deps, ended);
  return ended;
}

/** Routes that list the user's sessions and end them. */
export function deviceRoutes(deps: SessionsDeps): Route[] {
  const { database, clock, cookies } = deps;
  return [
    route(listSessionsEndpoint, async (context) => {
      const { userId, sessionId } = sessionOf(context);
      const rows = await listSessions(database.queries, userId, clock.nowMs());
      const takes = await deps.takes.running(database.queries, userId);
      return {
        body: {
          items: rows.map((row) => present(row, sessionId)),
          takes: takes.filter((take) => take.sessionId !== sessionId).map(presentTake),
        },
      };
    }),
    route(endSession, async (context) => {
      const { userId, sessionId } = requireRecentAuth(sessionOf(context), clock);
      const { params, query, ip } = context;
      const ended = await end(
        deps,
        { onlyId: params.sessionId, finishTakesOf: query.finishTakes === 'true' ? [params.sessionId] : [] },
        { userId, ip },
      );
      if (ended.length === 0) throw new ProblemError('not-found');
      if (params.sessionId === sessionId) cookies.clearSession(context.reply);
      return { status: 204 };
    }),
    route(endOtherSessions, async (context) => {
      const { userId, sessionId } = requireRecentAuth(sessionOf(context), clock);
      const ended = await end(
        deps,
        { exceptId: sessionId, finishTakesOf: context.query.finishTakesOf },
        { userId, ip: context.ip },
      );
      return { body: { ended: ended.length } };
    }),
  ];
}
