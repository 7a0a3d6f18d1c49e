import { getSharePage, getSharePlayer } from '#contract/share-links-api.ts';
import { isCounted } from '#server/features/shares/links/link-counts.ts';
import { shareOfPrincipal } from '#server/features/shares/links/link-routes.ts';
import type { OpenCounts } from '#server/features/shares/links/open-counts.ts';
import { linkOriginOf, type LinkOrigins } from '#server/features/shares/link-origin.ts';
import { labelsPart, type LabelsPart } from '#server/features/shares/media/shared-labels.ts';
import { presentSharedRecording } from '#server/features/shares/media/shared-recording.ts';
import type { SharedMediaDeps } from '#server/features/shares/media/shared-media-routes.ts';
import { type SharedSound, sharedSoundOf } from '#server/features/shares/media/shared-sound.ts';
import { embedOf, previewOf } from '#server/features/shares/sharing-rules.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import type { Clock } from '#base/clock.ts';
import { shareOf } from '#server/http/callers.ts';
import { endUnread } from '#server/http/edge/end-unread.ts';
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

interface Opened extends Pick<RouteContext<unknown>, 'request'> {
  share: StoredShare;
  readsCookies: boolean;
  /** Reads the labels that the page shows. */
  labelsOf: (sound: SharedSound) => Promise<LabelsPart>;
}

const viewOf = async (
  deps: PageRoutesDeps,
  { request, share, readsCookies, labelsOf }: Opened,
): Promise<ListeningView> => {
  const sound = await sharedSoundOf(deps, share);
  const { next, ...labels } = await labelsOf(sound);
  return {
    ...frameOf(deps, request, { readsCookies }),
    recording: { ...(await presentSharedRecording(deps.present, share, sound)), ...labels },
    nextLabels: next,
    preview: previewOf(share),
    embed: embedOf(share),
    shareOrigin: linkOriginOf(deps, share),
    nowMs: deps.clock.nowMs(),
  };
};

/** The player in other pages shows no lists. */
const noLabels = (): Promise<LabelsPart> => Promise.resolve({ markers: [], notes: [], next: null });

async function sendPage(
  { request, reply, spend }: Pick<RouteContext<unknown>, 'request' | 'reply' | 'spend'>,
  page: string,
): Promise<'sent'> {
  spend(Buffer.byteLength(page));
  endUnread(reply.raw);
  await sendCompressed(request, reply, page);
  return 'sent';
}

/** The page of a link: the recording, or the form for its password. */
function listeningPageRoute(deps: PageRoutesDeps): Route {
  const { database, files, openCounts, open, secrets } = deps;
  return route(
    getSharePage,
    async ({ principal, request, reply, ip, query: { after }, spend }) => {
      const share = await shareOfPrincipal(database.queries, principal);
      const frame = frameOf(deps, request, { readsCookies: true });
      const localeTag = frame.locale.tag;
      reply.type(htmlType);
      if (principal?.kind === 'share-locked') {
        reply.headers(listeningPageHeaders(files, { localeTag, hasForm: true }));
        await sendCompressed(request, reply, renderPasswordPage(frame, null));
        return 'sent';
      }
      open.enter({ grant: shareOf({ principal }), ip, reply, kind: 'texts' });
      const labelsOf = ({ window }: SharedSound) =>
        labelsPart({ queries: database.queries, secrets }, { share, window }, after);
      const view = await viewOf(deps, { request, share, readsCookies: true, labelsOf });
      reply.headers(listeningPageHeaders(files, { localeTag, hasForm: hasStartForm(view.recording) }));
      // A further part belongs to the same visit.
      if (isCounted(request) && after === undefined) await openCounts.add(share.id);
      return sendPage({ request, reply, spend }, renderListeningPage(view));
    },
    { renderProblem: renderListeningProblem(deps) },
  );
}

/**
 * The player in other pages. A link that may not be embedded is not found there, so that nobody learns whether it
 * exists. It reads no cookie: the grant of a link for everyone needs none.
 */
function embeddedPlayerRoute(deps: PageRoutesDeps): Route {
  const { database, files, open } = deps;
  return route(
    getSharePlayer,
    async ({ principal, request, reply, ip, spend }) => {
      const grant = shareOf({ principal });
      const share = await shareOfPrincipal(database.queries, grant);
      const embed = embedOf(share);
      if (embed === null) throw new ProblemError('link-not-found');
      open.enter({ grant, ip, reply, kind: 'texts' });
      const view = await viewOf(deps, { request, share, readsCookies: false, labelsOf: noLabels });
      reply.headers(embeddedPlayerHeaders(files, { localeTag: view.locale.tag, embed })).type(htmlType);
      return sendPage({ request, reply, spend }, renderEmbeddedPlayer(view));
    },
    { renderProblem: renderEmbeddedProblem(deps) },
  );
}

export const pageRoutes = (deps: PageRoutesDeps): Route[] => [
  listeningPageRoute(deps),
  embeddedPlayerRoute(deps),
];
