import { z } from 'zod';
import { shippedLocale } from '#contract/locales.ts';
import {
  requestShareAccess,
  startListen as startListenEndpoint,
  unlockShare as unlockEndpoint,
} from '#contract/share-links-api.ts';
import { storeAccessRequest } from '#server/features/shares/access-requests.ts';
import { findShares, type StoredShare } from '#server/features/shares/shares-store.ts';
import { shareOf } from '#server/http/callers.ts';
import { isForm } from '#server/http/pipeline/read-body.ts';
import type { Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { type RenderProblem, route, type Route, type RouteContext } from '#server/http/route.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { countWholeListen, isPrefetch } from './link-counts.ts';
import { type ListenDeps, startListen } from './start-listen.ts';
import { type UnlockDeps, unlockShare } from './unlock-share.ts';

/** `renderProblem` shows problems of forms as pages. */
export type LinkRoutesDeps = UnlockDeps & ListenDeps & { renderProblem: RenderProblem };

/**
 * Reads the link of a principal.
 * @throws link-not-found (404) if it was deleted in the meantime; share-changed (409) if its settings are not those
 * that the principal was identified by: a new password, for example
 */
export async function shareOfPrincipal(queries: Queries, principal: Principal | null): Promise<StoredShare> {
  const isShare =
    principal?.kind === 'share' || principal?.kind === 'share-locked' || principal?.kind === 'share-outsider';
  const [share] = isShare ? await findShares(queries, [principal.shareId]) : [];
  if (share === undefined) throw new ProblemError('link-not-found');
  if (principal?.kind === 'share' && principal.revision !== share.revision)
    throw new ProblemError('share-changed', { retryAfterSeconds: 1 });
  return share;
}

const langQuerySchema = z.object({ lang: z.string().optional() }).catch({});

/** Where a form returns to: the page of its link, in the language of the form. Scripts need no page. */
function done({ request, params }: Pick<RouteContext<unknown>, 'request'> & { params: { token: string } }) {
  const isNavigation = isForm(request) || request.headers['sec-fetch-mode'] === 'navigate';
  if (!isNavigation) return { status: 204 };
  const locale = shippedLocale(langQuerySchema.parse(request.query).lang ?? '');
  const query = locale === null ? '' : `?lang=${locale.tag}`;
  return { status: 303, headers: { Location: `/s/${params.token}${query}` } };
}

/** The routes with which listeners open a link and start to listen. */
export function linkRoutes(deps: LinkRoutesDeps): Route[] {
  const { database, clock, announce, renderProblem } = deps;
  return [
    route(
      unlockEndpoint,
      async (context) => {
        const { ip, reply } = context;
        const share = await shareOfPrincipal(database.queries, context.principal);
        await unlockShare(deps, share, { password: context.body.password, ip, reply });
        return done(context);
      },
      { renderProblem },
    ),
    route(
      requestShareAccess,
      async (context) => {
        const { principal } = context;
        if (principal?.kind === 'share-outsider') {
          const { owner_id: ownerId, recording_id: recordingId } = await shareOfPrincipal(
            database.queries,
            principal,
          );
          if (await storeAccessRequest(database, { ...principal, ownerId }, clock.nowMs()))
            announce.sharesChanged(ownerId, recordingId);
        }
        return done(context);
      },
      { renderProblem },
    ),
    route(
      startListenEndpoint,
      async (context) => {
        const grant = shareOf(context);
        if (isPrefetch(context.request)) return done(context);
        if (context.query.whole === 'true') {
          await countWholeListen(database.queries, grant.shareId, clock.nowMs());
          return done(context);
        }
        const share = await shareOfPrincipal(database.queries, grant);
        await startListen(deps, { share, grant, reply: context.reply });
        return done(context);
      },
      { renderProblem },
    ),
  ];
}
