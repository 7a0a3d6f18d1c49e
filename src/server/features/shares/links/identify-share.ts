import type { Clock } from '#base/clock.ts';
import type { SharingPolicy } from '#contract/shares.ts';
import { type StateOfShare, stateOfShare } from '#server/features/shares/share-state.ts';
import { accessRequestStateOf } from '#server/features/shares/access-requests.ts';
import { findByToken, isForUser, type StoredShare } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import type { Identify, ShareRequest } from '#server/http/principal.ts';
import type { OpenShare, ShareIdentification } from '#server/http/share-grant.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { EndedLinkRow, ShareVisitRow } from '#server/storage/database/share-tables.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import type { LinkThrottle } from './link-throttle.ts';
import { findVisit, isVisitOf, type VisitCookies } from './visits.ts';

export interface IdentifyShareDeps {
  database: Database;
  clock: Clock;
  throttle: LinkThrottle;
  visits: VisitCookies;
}

const findEnded = (
  queries: Queries,
  tokenHash: string,
  nowMs: number,
): Promise<Pick<EndedLinkRow, 'reason'> | undefined> =>
  queries
    .selectFrom('ended_links')
    .select('reason')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();

interface Found {
  share: StoredShare | undefined;
  ended: Pick<EndedLinkRow, 'reason'> | undefined;
  visit: ShareVisitRow | undefined;
  policy: SharingPolicy;
}

/**
 * Reads everything that decides about a request. The same queries run for every token, so that the time of the answer
 * does not say whether it is unknown, malformed or ended, or whether a password is missing.
 */
async function find(
  { database: { queries }, visits }: IdentifyShareDeps,
  request: ShareRequest,
  nowMs: number,
): Promise<Found> {
  const tokenHash = hashOf(request.token);
  const [share, ended, visit, policy] = await Promise.all([
    findByToken(queries, tokenHash),
    findEnded(queries, tokenHash, nowMs),
    findVisit(
      queries,
      visits.visitHash((name) => request.cookie(name), tokenHash),
    ),
    readPolicy(queries),
  ]);
  return { share, ended, visit, policy };
}

/** A browser that started one of the counted listens may finish it, although no further one can start. */
const isEnded = ({ reason }: StateOfShare, visit: ShareVisitRow | null): boolean =>
  reason !== null && !(reason === 'used-up' && visit !== null && visit.listened_at !== null);

/**
 * The session of a listener, null for an open link, where the link is for users of this installation. Its owner may
 * always listen. The user instead, if the link is for others.
 */
async function sessionFor(
  { queries }: Database,
  share: StoredShare,
  request: ShareRequest,
): Promise<{ sessionId: string | null } | { outsiderId: string }> {
  if (share.audience === 'anyone') return { sessionId: null };
  const { userId, sessionId } = await request.session();
  const mayListen =
    share.audience === 'installation' ||
    userId === share.owner_id ||
    (await isForUser(queries, share.id, userId));
  return mayListen ? { sessionId } : { outsiderId: userId };
}

const openShare = (share: StoredShare, visit: ShareVisitRow | null, sessionId: string | null): OpenShare => ({
  shareId: share.id,
  recordingId: share.recording_id,
  visit: visit?.visit_hash ?? null,
  revision: share.revision,
  sessionId,
});

/**
 * Decides what the bearer of a token may do: by the token, the state of its link, the users that it is for, and its
 * password, in this order.
 */
export function createIdentifyShare(deps: IdentifyShareDeps): NonNullable<Identify['share']> {
  const { database, clock, throttle } = deps;
  return async (request): Promise<ShareIdentification> => {
    const nowMs = clock.nowMs();
    const { share, ended, visit: presented, policy } = await find(deps, request, nowMs);
    if (share === undefined) {
      if (ended !== undefined) return { kind: 'ended', reason: ended.reason };
      throttle.consumeUnknown(request.ip);
      return { kind: 'not-found' };
    }
    const visit = isVisitOf(presented, share, nowMs) ? presented : null;
    const state = stateOfShare(share, policy, nowMs);
    if (isEnded(state, visit)) return { kind: 'ended', reason: state.reason ?? 'unavailable' };
    const found = await sessionFor(database, share, request);
    if ('outsiderId' in found) {
      const outsider = { shareId: share.id, userId: found.outsiderId };
      const state = await accessRequestStateOf(database.queries, outsider);
      return { kind: 'not-for-you', ...outsider, request: state };
    }
    if (share.password_hash !== null && visit === null)
      return { kind: 'password-required', shareId: share.id };
    return { kind: 'open', share: openShare(share, visit, found.sessionId) };
  };
}
