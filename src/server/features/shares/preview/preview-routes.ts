import { pyramidHeaderBytes, readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';
import { minute, second } from '#base/duration.ts';
import { getOembed, getShareCard } from '#contract/share-links-api.ts';
import { linkOriginOf, type LinkOrigins } from '#server/features/shares/link-origin.ts';
import { shareOfPrincipal } from '#server/features/shares/links/link-routes.ts';
import type { LinkThrottle } from '#server/features/shares/links/link-throttle.ts';
import type { SharedMediaDeps } from '#server/features/shares/media/shared-media-routes.ts';
import { shownTitle } from '#server/features/shares/media/shared-recording.ts';
import { sharedSoundOf } from '#server/features/shares/media/shared-sound.ts';
import { showsOf } from '#server/features/shares/share-settings.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { findByToken, type StoredShare } from '#server/features/shares/shares-store.ts';
import { embedOf, previewOf, readPolicy } from '#server/features/shares/sharing-rules.ts';
import type { Clock } from '#base/clock.ts';
import { shareOf } from '#server/http/callers.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { ByteSource } from '#server/http/send-bytes.ts';
import { hashOf } from '#server/storage/hash-of.ts';
import { sharedForAWhile } from './shared-for-a-while.ts';
import { oembedOf, oembedXml, tokenOfAddress } from './oembed.ts';
import { drawWaveformCard } from './waveform-card.ts';

export type PreviewRoutesDeps = SharedMediaDeps & LinkOrigins & { clock: Clock; throttle: LinkThrottle };

/** Drawing takes some hundredths of a second, so a card is drawn once in this time, however often it is asked for. */
const cardAgeMs = 5 * minute;
const maxCards = 50;

/** The loudness of the whole shared part: the coarsest level of its peaks, at most 1,000 points. */
async function coarsePoints(peaks: ByteSource): Promise<Int8Array> {
  const header = readPyramidHeader(await peaks.read({ startByte: 0, endByteExclusive: pyramidHeaderBytes }));
  const level = header?.levels[0];
  if (level === undefined) return new Int8Array();
  const endByteExclusive = level.offsetBytes + level.points * 2;
  const bytes = await peaks.read({ startByte: level.offsetBytes, endByteExclusive });
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The picture for previews, only where the link allows them. */
function cardRoute(deps: PreviewRoutesDeps): Route {
  const { database, clock } = deps;
  const cardOf = sharedForAWhile<Buffer>({ clock, forMs: cardAgeMs, max: maxCards });
  return route(getShareCard, async ({ principal, reply }) => {
    const share = await shareOfPrincipal(database.queries, shareOf({ principal }));
    if (previewOf(share) === 'none') throw new ProblemError('link-not-found');
    const { window } = await sharedSoundOf(deps, share);
    const picture = await cardOf(`${share.id} ${window?.audio.etag ?? ''}`, async () =>
      drawWaveformCard(window === null ? new Int8Array() : await coarsePoints(await window.peaks())),
    );
    reply.headers({
      'Cache-Control': `private, max-age=${cardAgeMs / second}`,
      // Messengers show the picture in pages of their own.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    void reply.type('image/png').send(picture);
    return 'sent';
  });
}

/** Finds a link that other pages may embed now. An unknown address counts as a guess. */
async function embeddable(
  deps: PreviewRoutesDeps,
  address: string,
  ip: string,
): Promise<[string, StoredShare]> {
  const { database, clock, throttle, publicUrl, shareUrl } = deps;
  const token = tokenOfAddress(
    address,
    [publicUrl, shareUrl ?? publicUrl].map((url) => new URL(url).origin),
  );
  const [share, policy] = await Promise.all([
    token === null ? undefined : findByToken(database.queries, hashOf(token)),
    readPolicy(database.queries),
  ]);
  if (token === null || share === undefined) {
    throttle.consumeUnknown(ip);
    throw new ProblemError('link-not-found');
  }
  const { reason } = stateOfShare(share, policy, clock.nowMs());
  if (reason !== null || embedOf(share) === null) throw new ProblemError('link-not-found');
  return [token, share];
}

/** The oEmbed provider. Its answer is stored by others, so it names what the link's preview may show. */
function oembedRoute(deps: PreviewRoutesDeps): Route {
  return route(getOembed, async ({ query, ip, reply }) => {
    const [token, share] = await embeddable(deps, query.url, ip);
    const mayName = previewOf(share) !== 'none';
    const answer = oembedOf({
      shareOrigin: linkOriginOf(deps, share),
      token,
      title: mayName ? shownTitle(share) : null,
      author: mayName && showsOf(share).owner ? share.owner_name : null,
      maxWidth: query.maxwidth,
      maxHeight: query.maxheight,
    });
    if (query.format === 'json') return { body: answer };
    void reply.type('text/xml; charset=utf-8').send(oembedXml(answer));
    return 'sent';
  });
}

export const previewRoutes = (deps: PreviewRoutesDeps): Route[] => [cardRoute(deps), oembedRoute(deps)];
