import {
  answerShareAccess,
  changeShare as changeShareEndpoint,
  createShare as createShareEndpoint,
  listAllShares,
  listShareDays,
  listShares,
  renewShareAddress,
  revokeShare as revokeShareEndpoint,
  revokeShares,
} from '#contract/shares-api.ts';
import type { ShareState } from '#contract/shares.ts';
import { sharePages } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { answerAccess } from './answer-access.ts';
import { changeShare, renewAddress, endLinks, revokeShare } from './change-share.ts';
import { createShare } from './create-share.ts';
import { presentShares } from './share-view.ts';
import { ownShare, type SharesDeps } from './shares-deps.ts';

async function daysOf(queries: Queries, shareId: string) {
  const rows = await queries
    .selectFrom('share_days')
    .selectAll()
    .where('share_id', '=', shareId)
    .orderBy('day')
    .execute();
  return rows.map((row) => ({
    day: row.day,
    openCount: row.open_count,
    listenCount: row.listen_count,
    wholeListenCount: row.whole_listen_count,
  }));
}

function listRoutes(deps: SharesDeps): Route[] {
  const { access, clock } = deps;
  const { queries } = deps.database;

  async function list({
    state,
    ...which
  }: {
    ownerId: string;
    recordingId?: string;
    state?: ShareState | undefined;
  }) {
    const policy = await readPolicy(queries);
    const shown = { queries, policy, nowMs: clock.nowMs(), state };
    async function* items() {
      for await (const shares of sharePages(queries, which)) yield await presentShares(deps, shown, shares);
    }
    return { items: items(), policy };
  }

  return [
    route(listShares, async (context) => {
      const principal = sessionOf(context);
      const { recordingId } = context.params;
      await access.recording(principal, recordingId, 'own');
      return { body: await list({ ownerId: principal.userId, recordingId }) };
    }),
    route(listAllShares, async (context) => ({
      body: await list({ ownerId: sessionOf(context).userId, state: context.query.state }),
    })),
    route(listShareDays, async (context) => {
      const share = await ownShare(queries, sessionOf(context).userId, context.params.shareId);
      return { body: { items: await daysOf(queries, share.id) } };
    }),
  ];
}

/** The routes of those who share recordings. */
export function sharesRoutes(deps: SharesDeps): Route[] {
  return [
    ...listRoutes(deps),
    route(createShareEndpoint, async (context) => {
      const { recordingId } = context.params;
      const { created, share } = await createShare(deps, sessionOf(context), {
        ...context.body,
        recordingId,
      });
      return { status: created ? 201 : 200, body: share };
    }),
    route(changeShareEndpoint, async (context) => ({
      body: await changeShare(deps, sessionOf(context), { ...context.body, id: context.params.shareId }),
    })),
    route(answerShareAccess, async (context) => ({
      body: await answerAccess(deps, sessionOf(context), { ...context.params, ...context.body }),
    })),
    route(revokeShareEndpoint, async (context) => ({
      body: await revokeShare(deps, sessionOf(context), context.params.shareId),
    })),
    route(renewShareAddress, async (context) => ({
      body: await renewAddress(deps, sessionOf(context), context.params.shareId),
    })),
    route(revokeShares, async (context) => {
      const { userId: ownerId } = sessionOf(context);
      const which = { ...context.body, ownerId };
      const revokedCount = await deps.database.transaction((transaction) =>
        endLinks(deps, transaction, which),
      );
      await deps.onChanged();
      if (revokedCount > 0) deps.announce.sharesChanged(ownerId, which.recordingId);
      return { body: { revokedCount } };
    }),
  ];
}
