import { z } from 'zod';
import { day } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { AccountNotice } from '#contract/accounts-api.ts';
import {
  acknowledgeNotices,
  accountEvents,
  getAccountHistory,
  type AccountHistoryEntry,
} from '#contract/administration-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { clockToleranceMs, momentOfClient, pastOrNull } from '#server/storage/rows/moments.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { SessionRow, UserRow } from '#server/storage/database/schema.ts';
import type { AdministrationDeps } from './administration-deps.ts';

/**
 * For this long, every new session shows a reset link's notice again, even if it was acknowledged: an attacker who
 * used the link may have acknowledged it first.
 */
const announcedAgainMs = 30 * day;
const maxNotices = 20;
const actionSchema = z.enum(accountEvents);

const eventsOf = (queries: Queries, userId: string) =>
  queries
    .selectFrom('audit_events')
    .leftJoin('users as actors', 'actors.id', 'audit_events.actor_id')
    .select([
      'audit_events.id',
      'audit_events.at',
      'audit_events.action',
      'audit_events.actor_id',
      'audit_events.ip_prefix',
      'actors.display_name as actor_name',
    ])
    .where('audit_events.action', 'in', accountEvents)
    // Changes to a passkey or a linked identity have that as their subject; what other users did to the account
    // has the account as its subject.
    .where(({ eb }) =>
      eb.or([
        eb('audit_events.subject', '=', userId),
        eb.and([
          eb('audit_events.actor_id', '=', userId),
          eb('audit_events.action', 'not in', [
            'password.reset-link-made',
            'account.disabled',
            'account.enabled',
          ]),
        ]),
      ]),
    );

type EventRow = Awaited<ReturnType<ReturnType<typeof eventsOf>['execute']>>[number];

/** Events caused by the bearer of a link, who need not be the owner. */
const byLink: ReadonlySet<string> = new Set(['password.reset', 'email.change-undone']);

function actorOf(
  { actor_id: actorId, action, ip_prefix: ipPrefix }: EventRow,
  userId: string,
): AccountHistoryEntry['by'] {
  if (actorId !== null && actorId !== userId) return 'admin';
  return actorId === null || ipPrefix === '' || byLink.has(action) ? 'unknown' : 'owner';
}

function present(row: EventRow, userId: string): AccountHistoryEntry {
  const by = actorOf(row, userId);
  return {
    id: row.id,
    at: instantOf(row.at),
    event: actionSchema.parse(row.action),
    by,
    byName: by === 'admin' ? (row.actor_name ?? '–') : null,
    ipPrefix: by === 'admin' ? '' : row.ip_prefix,
  };
}

/**
 * Notices of actions by administrators that the owner must know about: reset links. Each notice is shown until it
 * is acknowledged, and for `announcedAgainMs` again in every new session.
 */
export async function noticesFor(
  queries: Queries,
  { user, session, nowMs }: { user: UserRow; session: SessionRow; nowMs: number },
): Promise<AccountNotice[]> {
  // Ignores an acknowledgement with a time in the future or out of range, so that a notice is shown twice rather
  // than never.
  const [bySession, byUser] = [
    pastOrNull(session.notices_seen_at, nowMs) ?? 0,
    pastOrNull(user.notices_seen_at, nowMs) ?? 0,
  ];
  const sinceMs = Math.max(bySession, Math.min(byUser, nowMs - announcedAgainMs));
  const rows = await queries
    .selectFrom('audit_events')
    .leftJoin('users as actors', 'actors.id', 'audit_events.actor_id')
    .select(['audit_events.id', 'audit_events.at', 'actors.display_name as actor_name'])
    .where('audit_events.subject', '=', user.id)
    .where('audit_events.action', '=', 'password.reset-link-made')
    .where('audit_events.at', '>', sinceMs)
    .orderBy('audit_events.at', 'desc')
    .limit(maxNotices)
    .execute();
  return rows.map((row) => ({ id: row.id, at: instantOf(row.at), byName: row.actor_name ?? '–' }));
}

/** Lists the history of the user's own account and acknowledges notices. */
export function accountHistoryRoutes({
  database,
  clock,
}: Pick<AdministrationDeps, 'database' | 'clock'>): Route[] {
  return [
    route(getAccountHistory, async (context) => {
      const { userId } = sessionOf(context);
      const { cursor, limit } = context.query;
      const all = eventsOf(database.queries, userId);
      const rows = await (cursor === undefined ? all : all.where('audit_events.id', '<', cursor))
        .orderBy('audit_events.id', 'desc')
        .limit(limit + 1)
        .execute();
      const items = rows.slice(0, limit).map((row) => present(row, userId));
      return { body: { items, nextCursor: rows.length > items.length ? (items.at(-1)?.id ?? null) : null } };
    }),
    route(acknowledgeNotices, async (context) => {
      const { userId, sessionId } = sessionOf(context);
      const nowMs = clock.nowMs();
      const seenAtMs = momentOfClient(context.body.until, nowMs);
      await database.transaction(async (transaction) => {
        await database.lockUser(transaction, userId);
        await transaction
          .updateTable('sessions')
          .set({ notices_seen_at: seenAtMs })
          .where('id', '=', sessionId)
          .where('user_id', '=', userId)
          .execute();
        await transaction
          .updateTable('users')
          .set({ notices_seen_at: seenAtMs })
          .where('id', '=', userId)
          .where(({ eb }) =>
            eb.or([
              eb('notices_seen_at', 'is', null),
              eb('notices_seen_at', '<', seenAtMs),
              eb('notices_seen_at', '>', nowMs + clockToleranceMs),
            ]),
          )
          .execute();
      });
      return { status: 204 };
    }),
  ];
}
