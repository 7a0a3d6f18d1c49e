import { mapPages } from '#base/pages.ts';
import {
  getShareAudio,
  getSharedRecording,
  getShareEvents,
  getShareMarkers,
  getSharePeaks,
} from '#contract/share-links-api.ts';
import { minute } from '#base/duration.ts';
import { vttTexts } from '#base/labels/vtt.ts';
import type { ShareEvent } from '#contract/shares.ts';
import { shareOfPrincipal } from '#server/features/shares/links/link-routes.ts';
import type { OpenLinks } from '#server/features/shares/links/open-links.ts';
import { hasStarted } from '#server/features/shares/links/start-listen.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import { shareOf } from '#server/http/callers.ts';
import { endUnread } from '#server/http/edge/end-unread.ts';
import { type EventStream, openEventStream } from '#server/http/edge/event-stream.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import { sendInPieces } from '#server/http/send-in-pieces.ts';
import { mediaPolicy } from '#server/http/security-headers.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { type M4aDeps, m4aOf } from './m4a-rendition.ts';
import { shownMarkers, shownNotes } from './shared-labels.ts';
import { type PresentDeps, presentSharedRecording, shownVersionOf } from './shared-recording.ts';
import { playableWindow, sharedSoundOf } from './shared-sound.ts';

export interface SharedMediaDeps extends M4aDeps {
  open: OpenLinks;
  present: PresentDeps;
}

/** How long a paused player may read nothing. It continues with another request, by byte range. */
const maxPauseMs = 10 * minute;

type Listening = Pick<RouteContext<unknown>, 'principal' | 'ip' | 'reply'>;

/**
 * The link of a request for sound, which counts as one of its listener's open responses.
 * @throws share-listen-required (409) before a counted listen; rate-limited (429)
 */
export async function listeningShare(
  { database, open }: Pick<SharedMediaDeps, 'database' | 'open'>,
  { principal, ip, reply }: Listening,
): Promise<StoredShare> {
  const grant = shareOf({ principal });
  const share = await shareOfPrincipal(database.queries, grant);
  if (share.max_listens !== null && !(await hasStarted({ database }, grant)))
    throw new ProblemError('share-listen-required');
  open.enter({ grant, ip, reply });
  return share;
}

/** The routes below a link's address that its listeners need. None takes an id: the grant names the recording. */
export function sharedMediaRoutes(deps: SharedMediaDeps): Route[] {
  const { database, open, present } = deps;
  const { queries } = database;
  return [
    route(getSharedRecording, async ({ principal, query, ip, reply }) => {
      const grant = shareOf({ principal });
      const share = await shareOfPrincipal(queries, grant);
      const sound = await sharedSoundOf(deps, share);
      const facts = await presentSharedRecording(present, share, sound);
      if (query.without === 'labels') return { body: { ...facts, markers: [], notes: [] } };
      open.enter({ grant, ip, reply, kind: 'texts' });
      const link = { share, window: sound.window };
      return { body: { ...facts, markers: shownMarkers(queries, link), notes: shownNotes(queries, link) } };
    }),
    route(getShareAudio, async (context) => {
      const share = await listeningShare(deps, context);
      const { format, until: untilMs, section } = context.query;
      // Only complete sound is M4A, and one rendition of it is stored.
      const sound = await playableWindow(deps, share, format === 'ogg' ? { untilMs, section } : {});
      context.reply.header('Content-Security-Policy', mediaPolicy);
      endUnread(context.reply.raw, { unreadMs: maxPauseMs });
      if (format === 'ogg') return sendBytes(context, sound.window.audio);
      if (sound.state === 'live') throw new ProblemError('share-not-started', { retryAfterSeconds: 10 });
      return sendBytes(context, await m4aOf(deps, share, { sound, signal: context.signal }));
    }),
    route(getSharePeaks, async (context) => {
      const { ip, reply } = context;
      const grant = shareOf(context);
      const share = await shareOfPrincipal(queries, grant);
      open.enter({ grant, ip, reply, kind: 'peaks' });
      const { window } = await playableWindow(deps, share);
      endUnread(reply.raw);
      return sendBytes(context, await window.peaks());
    }),
    route(getShareMarkers, async ({ principal, ip, reply, spend }) => {
      const grant = shareOf({ principal });
      const share = await shareOfPrincipal(queries, grant);
      const { window } = await sharedSoundOf(deps, share);
      open.enter({ grant, ip, reply, kind: 'texts' });
      const labels = mapPages(shownMarkers(queries, { share, window }), (page) =>
        page.map(({ atMs, label, colour }) => ({
          kind: 'marker' as const,
          atMs,
          endMs: null,
          text: label,
          colour,
        })),
      );
      reply.header('Cache-Control', 'private, no-cache').type('text/vtt; charset=utf-8');
      return sendInPieces(reply, vttTexts(labels), spend);
    }),
    route(getShareEvents, async ({ principal, ip, reply }) => {
      let stream: EventStream<ShareEvent> | null = null;
      const grant = shareOf({ principal });
      const share = await shareOfPrincipal(queries, grant);
      const version = await shownVersionOf(present, share, await sharedSoundOf(deps, share));
      open.enter(
        { grant, ip, reply },
        { version, send: (event) => stream?.send(event), end: () => stream?.close() },
      );
      stream = openEventStream<ShareEvent>(reply, () => undefined);
      return 'sent';
    }),
  ];
}
