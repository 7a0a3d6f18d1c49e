import { getSharePage, getSharePlayer } from '#contract/share-links-api.ts';
import type { SharedRecording } from '#contract/shares.ts';
import { isCounted } from '#server/features/shares/links/link-counts.ts';
import { shareOfPrincipal } from '#server/features/shares/links/link-routes.ts';
import type { OpenCounts } from '#server/features/shares/links/open-counts.ts';
import { linkOriginOf, type LinkOrigins } from '#server/features/shares/link-origin.ts';
import { presentSharedRecording } from '#server/features/shares/media/shared-recording.ts';
import type { SharedMediaDeps } from '#server/features/shares/media/shared-media-routes.ts';
import { sharedSoundOf } from '#server/features/shares/media/shared-sound.ts';
import { embedOf, previewOf } from '#server/features/shares/sharing-rules.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import type { Clock } from '#base/clock.ts';
import { shareOf } from '#server/http/callers.ts';
import { sendCompressed } from '#server/http/pages/send-compressed.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import {
  hasStartForm,
  renderEmbeddedPlayer,
  renderListeningPage,
  type ListeningView,
} from './listening-page.ts';
import { renderPasswordPage } from './notice-page.ts';
import { embeddedPlayerHeaders, listeningPageHeaders } from './page-headers.ts';
import { frameOf, renderEmbeddedProblem, renderListeningProblem, type FrameDeps } from './problem-page.ts';

export type PageRoutesDeps = SharedMediaDeps &
  FrameDeps &
  LinkOrigins & { clock: Clock; openCounts: Pick<OpenCounts, 'add'> };

const htmlType = 'text/html; charset=utf-8';

/** What a link shows now. */
async function shown(deps: PageRoutesDeps, share: StoredShare): Promise<SharedRecording> {
  return presentSharedRecording(deps.present, share, await sharedSoundOf(deps, share));
}

type Opened = Pick<RouteContext<unknown>, 'request'> & { share: StoredShare; readsCookies: boolean };

const viewOf = async (
  deps: PageRoutesDeps,
  { request, share, readsCookies }: Opened,
): Promise<ListeningView> => ({
  ...frameOf(deps, request, { readsCookies }),
  recording: await shown(deps, share),
  preview: previewOf(share),
  embed: embedOf(share),
  shareOrigin: linkOriginOf(deps, share),
  nowMs: deps.clock.nowMs(),
});

/** The page of a link: the recording, or the form for its password. */
function listeningPageRoute(deps: PageRoutesDeps): Route {
  const { database, files, openCounts } = deps;
  return route(
    getSharePage,
    async ({ principal, request, reply }) => {
      const share = await shareOfPrincipal(database.queries, principal);
      const frame = frameOf(deps, request, { readsCookies: true });
      const localeTag = frame.locale.tag;
      reply.type(htmlType);
      if (principal?.kind === 'share-locked') {
        reply.headers(listeningPageHeaders(files, { localeTag, hasForm: true }));
        await sendCompressed(request, reply, renderPasswordPage(frame, null));
        return 'sent';
      }
      const view = await viewOf(deps, { request, share, readsCookies: true });
      reply.headers(listeningPageHeaders(files, { localeTag, hasForm: hasStartForm(view.recording) }));
      if (isCounted(request)) await openCounts.add(share.id);
      await sendCompressed(request, reply, renderListeningPage(view));
      return 'sent';
    },
    { renderProblem: renderListeningProblem(deps) },
  );
}

/**
 * The player in other pages. A link that may not be embedded is not found there, so that nobody learns whether it
 * exists. It reads no cookie: the grant of a link for everyone needs none.
 */
function embeddedPlayerRoute(deps: PageRoutesDeps): Route {
  const { database, files } = deps;
  return route(
    getSharePlayer,
    async ({ principal, request, reply }) => {
      const share = await shareOfPrincipal(database.queries, shareOf({ principal }));
      const embed = embedOf(share);
      if (embed === null) throw new ProblemError('link-not-found');
      const view = await viewOf(deps, { request, share, readsCookies: false });
      reply.headers(embeddedPlayerHeaders(files, { localeTag: view.locale.tag, embed })).type(htmlType);
      await sendCompressed(request, reply, renderEmbeddedPlayer(view));
      return 'sent';
    },
    { renderProblem: renderEmbeddedProblem(deps) },
  );
}

export const pageRoutes = (deps: PageRoutesDeps): Route[] => [
  listeningPageRoute(deps),
  embeddedPlayerRoute(deps),
];
