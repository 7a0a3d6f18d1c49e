import { itemsOf } from '#base/pages.ts';
import { randomUUID } from 'node:crypto';
import { downloadShare as downloadEndpoint } from '#contract/share-links-api.ts';
import type { WindowConverter } from '#server/features/exports/convert/convert-window.ts';
import type { Conversions } from '#server/features/exports/convert/conversions.ts';
import type { RecordingSources } from '#server/features/recordings/media/recording-sources.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import { attachment } from '#server/http/attachment.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import { endUnread } from '#server/http/edge/end-unread.ts';
import { sendStream } from '#server/http/edge/send-stream.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route, type RouteContext } from '#server/http/route.ts';
import { sendBytes } from '#server/http/send-bytes.ts';
import { listeningShare, type SharedMediaDeps } from './shared-media-routes.ts';
import { shownMarkers } from './shared-labels.ts';
import { downloadsOf, isWholeOf, shownTitle } from './shared-recording.ts';
import { type PlayableSound, playableWindow } from './shared-sound.ts';

export interface DownloadShareDeps extends SharedMediaDeps {
  converter: WindowConverter;
  sources: RecordingSources;
  /** Conversions for listeners wait for each other, not in the queue of this server's users. */
  conversions: Pick<Conversions, 'open' | 'isAwaited'>;
  isClientNetwork: IsClientNetwork;
}

type DownloadContext = RouteContext<typeof downloadEndpoint>;
type Format = DownloadContext['query']['format'];

/** When to ask again for the download of a recording that is still being made. */
const retryAfterSeconds = 30;

/** Every link without a shown title has this name: a file's own name, or its day, would say what the link does not. */
const untitled = 'recording';
const nameOf = (share: StoredShare): string => shownTitle(share) ?? untitled;

/** The unchanged file under the name of the link. */
async function sendOriginal(
  { sources, secrets }: DownloadShareDeps,
  context: DownloadContext,
  share: StoredShare,
): Promise<'sent'> {
  const { original, extension } = await sources(context.principal, share.recording_id);
  context.reply.header('Content-Disposition', attachment(`${nameOf(share)}.${extension}`));
  // The owner's ETag has the id of the recording.
  const etag = `"${secrets.hash(`${share.id} ${original.etag}`, 'share original')}"`;
  return sendBytes(context, { ...original, etag });
}

async function sendConverted(
  deps: DownloadShareDeps,
  context: DownloadContext,
  {
    share,
    format,
    sound: { window },
  }: { share: StoredShare; format: Exclude<Format, 'ogg' | 'original'>; sound: PlayableSound },
): Promise<'sent'> {
  const { converter, conversions, database, isClientNetwork } = deps;
  const { reply, signal, request, ip } = context;
  const markers = await itemsOf(shownMarkers(database.queries, { share, window }));
  const conversion = {
    format,
    durationMs: window.durationMs,
    channels: window.channels,
    title: nameOf(share),
    date: null,
    chapters: markers.map(({ atMs, label }) => ({ atMs, label })),
  };
  const headers = converter.headersOf(conversion);
  if (request.method === 'HEAD') {
    void reply.headers(headers).send();
    return 'sent';
  }
  // Clients that a proxy hides count each by itself.
  const network = countedNetwork(ip, isClientNetwork) ?? randomUUID();
  const of = { owner: share.id, client: `${share.id} ${network}` };
  const stream = await conversions.open(of, signal, async () => {
    const waveform = await window.waveform();
    return converter.convert({ ...conversion, waveform, sound: window.openSound() }, signal);
  });
  endUnread(reply.raw, { isAwaited: () => conversions.isAwaited(of) });
  return sendStream(reply, { stream, headers });
}

/**
 * The route with which listeners take the shared part with them, where the link allows it.
 * @throws share-download-off (403)
 */
export function downloadShareRoute(deps: DownloadShareDeps): Route {
  return route(downloadEndpoint, async (context) => {
    const { format } = context.query;
    const share = await listeningShare(deps, context);
    const mayDownload = (isWhole: boolean) =>
      downloadsOf(share.download, { canConvert: true, isWhole }).includes(format);
    if (!mayDownload(true)) throw new ProblemError('share-download-off');
    const sound = await playableWindow(deps, share);
    if (sound.state !== 'complete') throw new ProblemError('share-not-started', { retryAfterSeconds });
    if (!mayDownload(isWholeOf(share, sound))) throw new ProblemError('share-download-off');
    if (format !== 'ogg' && format !== 'original')
      return sendConverted(deps, context, { share, format, sound });
    endUnread(context.reply.raw);
    if (format === 'original') return sendOriginal(deps, context, share);
    context.reply.header('Content-Disposition', attachment(`${nameOf(share)}.ogg`));
    return sendBytes(context, sound.window.audio);
  });
}
