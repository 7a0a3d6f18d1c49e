import { instantOf, instantOrNull } from '#base/instant.ts';
import { mapPages } from '#base/pages.ts';
import {
  changeSharingPolicy,
  getSharingPolicy,
  listSharesAsAdmin,
  revokeShareAsAdmin,
} from '#contract/shares-api.ts';
import type { SharingPolicy } from '#contract/shares.ts';
import type { RecordAccountEvent } from '#server/features/accounts/audit-log.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { findShares, sharePages } from '#server/features/shares/shares-store.ts';
import { changePolicy, readPolicy } from '#server/features/shares/sharing-rules.ts';
import { adminOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { Clock } from '#base/clock.ts';
import { endLinks } from './change-share.ts';
import type { SharesDeps } from './shares-deps.ts';

export interface SharingAdminDeps extends Pick<SharesDeps, 'receivedMs'> {
  database: Database;
  clock: Clock;
  recordEvent: RecordAccountEvent;
  onChanged: () => Promise<void>;
}

/** The routes with which administrators limit sharing. They show no title, no address and no sound. */
export function sharingAdminRoutes(deps: SharingAdminDeps): Route[] {
  const { database, clock, recordEvent, onChanged } = deps;
  const { queries } = database;

  async function withSuspended(policy: SharingPolicy) {
    const nowMs = clock.nowMs();
    let suspendedCount = 0;
    for await (const shares of sharePages(queries))
      suspendedCount += shares.filter(
        (share) => stateOfShare(share, policy, nowMs).suspendedBy === 'policy',
      ).length;
    return { policy, suspendedCount };
  }

  return [
    route(getSharingPolicy, async (context) => {
      adminOf(context);
      return { body: await withSuspended(await readPolicy(queries)) };
    }),
    route(changeSharingPolicy, async (context) => {
      const admin = adminOf(context);
      const policy = await database.transaction(async (transaction) => {
        const changed = await changePolicy(transaction, context.body);
        await recordEvent(transaction, clock, {
          action: 'sharing.policy-changed',
          actorId: admin.userId,
          subject: null,
          ip: context.ip,
          detail: Object.fromEntries(
            Object.entries(changed).map(([name, rule]) => [name, rule ?? 'unlimited']),
          ),
        });
        return changed;
      });
      await onChanged();
      return { body: await withSuspended(policy) };
    }),
    route(listSharesAsAdmin, async (context) => {
      adminOf(context);
      const [policy, nowMs] = [await readPolicy(queries), clock.nowMs()];
      const items = mapPages(sharePages(queries), (page) =>
        page.map((share) => ({
          id: share.id,
          ownerName: share.owner_name,
          audience: share.audience,
          state: stateOfShare(share, policy, nowMs).state,
          hasPassword: share.password_hash !== null,
          expiresAt: instantOrNull(share.expires_at),
          createdAt: instantOf(share.created_at),
          listenCount: share.listen_count,
        })),
      );
      return { body: { items } };
    }),
    route(revokeShareAsAdmin, async (context) => {
      const admin = adminOf(context);
      const { shareId: id } = context.params;
      await database.transaction(async (transaction) => {
        if ((await findShares(transaction, [id])).length === 0) throw new ProblemError('not-found');
        if ((await endLinks(deps, transaction, { id })) === 0) return;
        await recordEvent(transaction, clock, {
          action: 'share.revoked',
          actorId: admin.userId,
          subject: id,
          ip: context.ip,
        });
      });
      await onChanged();
      return { status: 204 };
    }),
  ];
}
