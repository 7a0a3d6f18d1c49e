import type { OggSegmentFacts, ReadBytes } from '#audio/ogg/joined-facts.ts';
import { maxOggPageBytes, type OggPage, readOggPage } from '#audio/ogg/ogg-page.ts';
import { opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { pageEndByte, type LocatedPage, pagesAround, type SearchedRun } from '#audio/ogg/page-search.ts';

/** A page of which only some segments of its table are used. */
export interface EdgePage {
  found: LocatedPage;
  fromSegment: number;
  untilSegment: number;
  /** −1 if no packet ends on what is left. */
  granulePosition: number;
}

/** The start of a cut file: the page that is rebuilt, if any, and the first page that is used whole. */
export interface StartEdge {
  page: EdgePage | null;
  fromByte: number;
  /** Granule position of the start of the first packet. */
  startsAt: number;
  firstSequenceNumber: number;
}

/** The end of a cut file: the last page that is used whole, and the page that is rebuilt, if any. */
export interface EndEdge {
  /** Whether it is the end of the file itself. */
  isOwn: boolean;
  page: EdgePage | null;
  untilByte: number;
  lastPageStartsAtByte: number;
  lastSequenceNumber: number;
  /** The end of the sound, and of the last packet: they differ only at the end of the file. */
  lastGranulePosition: number;
  lastPacketEndsAt: number;
}

/** A packet that ends on a page. Where two ways of counting differ, it has the longer time. */
interface TimedPacket {
  fromSegment: number;
  untilSegment: number;
  startsAt: number;
  endsAt: number;
}

const searched = (facts: OggSegmentFacts): SearchedRun => ({
  fromByte: facts.headersBytes,
  untilByte: facts.sizeBytes,
  startsAt: 0,
  lastGranulePosition: facts.lastGranulePosition,
  serialNumber: facts.serialNumber,
});

/** The segment at which a packet starts that continues on the next page; the end of the table if there is none. */
function continuedFrom({ lacing }: OggPage): number {
  let from = lacing.length;
  while (from > 0 && lacing[from - 1] === 255) from -= 1;
  return from;
}

const continues = (page: OggPage): boolean => continuedFrom(page) < page.lacing.length;

/** The bytes of some segments of a page. */
function payloadOf({ lacing, payload }: OggPage, fromSegment: number, untilSegment: number): Uint8Array {
  let [fromByte, untilByte] = [0, 0];
  for (const [segment, size] of lacing.subarray(0, untilSegment).entries()) {
    if (segment < fromSegment) fromByte += size;
    untilByte += size;
  }
  return payload.subarray(fromByte, untilByte);
}

/** A page, the one before it on which a packet ends, and the pages between; null if some between are missing. */
interface PageInFile {
  found: LocatedPage;
  before: LocatedPage | null;
  between: readonly OggPage[] | null;
}

/** The most bytes between two pages on which packets end: the middle of one packet (RFC 6716 §3.4). */
const maxBetweenBytes = 2 * maxOggPageBytes;

/** Reads the pages between two pages: parts of one packet, which ends on none of them. */
async function pagesBetween(
  read: ReadBytes,
  { before, after, facts }: { before: LocatedPage | null; after: LocatedPage; facts: OggSegmentFacts },
): Promise<OggPage[] | null> {
  const fromByte = before === null ? facts.headersBytes : pageEndByte(before);
  if (after.startsAtByte - fromByte > maxBetweenBytes) return null;
  const bytes = await read(fromByte, after.startsAtByte);
  const pages: OggPage[] = [];
  for (let at = 0; at < bytes.length;) {
    const page = readOggPage(bytes, at);
    if (page?.serialNumber !== facts.serialNumber || page.granulePosition >= 0) return null;
    pages.push(page);
    at += page.sizeBytes;
  }
  return pages;
}

/** The first bytes of the packet that continues on a page; null if they are missing. */
function startOfContinued({ before, between }: PageInFile): Uint8Array | null {
  if (before && continues(before.page))
    return payloadOf(before.page, continuedFrom(before.page), before.page.lacing.length);
  return between?.[0]?.payload ?? null;
}

/** The segments and samples of each packet that ends on a page; null samples if the start of a packet is missing. */
function packetsEndingOn(
  place: PageInFile,
): { fromSegment: number; untilSegment: number; samples: number | null }[] {
  const { page } = place.found;
  const packets: { fromSegment: number; untilSegment: number; samples: number | null }[] = [];
  let fromSegment = 0;
  for (const [segment, size] of page.lacing.entries()) {
    if (size === 255) continue;
    const untilSegment = segment + 1;
    // The first bytes of a packet have its length (RFC 6716 §3.1).
    const start =
      packets.length === 0 && page.continuesPacket
        ? startOfContinued(place)
        : payloadOf(page, fromSegment, untilSegment);
    packets.push({ fromSegment, untilSegment, samples: start && opusPacketSamples(start) });
    fromSegment = untilSegment;
  }
  return packets;
}

/**
 * The packets that end on a page with their positions. They are counted from the page before, and back from the
 * page's own position unless the end of the sound is trimmed there (RFC 7845 §4.4); both must agree that a packet
 * is inside a window. A packet that cannot be counted is outside every window.
 */
function timedPackets(place: PageInFile): TimedPacket[] {
  const { page } = place.found;
  const packets = packetsEndingOn(place);
  let forward = place.between === null ? null : (place.before?.page.granulePosition ?? 0);
  let backward = page.endsStream
    ? null
    : page.granulePosition - packets.reduce((sum, { samples }) => sum + (samples ?? 0), 0);
  return packets.map(({ samples, ...segments }) => {
    const starts = samples === null ? [] : [forward, backward].filter((position) => position !== null);
    forward = samples === null || forward === null ? null : forward + samples;
    if (backward !== null) backward += samples ?? 0;
    const ends = [forward, backward].filter((position) => position !== null);
    return {
      ...segments,
      startsAt: starts.length === 0 ? -Infinity : Math.min(...starts),
      endsAt: ends.length === 0 ? Infinity : Math.max(...ends),
    };
  });
}

/** The start of a file, which is no edge. */
export const ownStart = (facts: OggSegmentFacts): StartEdge => ({
  page: null,
  fromByte: facts.headersBytes,
  startsAt: 0,
  firstSequenceNumber: facts.headerPages,
});

/** The end of a file, which is no edge. */
export const ownEnd = (facts: OggSegmentFacts): EndEdge => ({
  isOwn: true,
  page: null,
  untilByte: facts.sizeBytes,
  lastPageStartsAtByte: facts.lastPageStartsAtByte,
  lastSequenceNumber: facts.lastSequenceNumber,
  lastGranulePosition: facts.lastGranulePosition,
  lastPacketEndsAt: facts.lastPacketEndsAt,
});

/** The edge after a page, with the start of the packet that continues on the next one. */
function startAfter(found: LocatedPage): StartEdge {
  const { page } = found;
  const fromSegment = continuedFrom(page);
  const edge = { fromByte: pageEndByte(found), startsAt: page.granulePosition };
  if (!continues(page)) return { ...edge, page: null, firstSequenceNumber: page.sequenceNumber + 1 };
  return {
    ...edge,
    page: { found, fromSegment, untilSegment: page.lacing.length, granulePosition: -1 },
    firstSequenceNumber: page.sequenceNumber,
  };
}

/** Finds the first packet of a file that starts at or after a position; null if there is none. */
export async function startEdge(
  read: ReadBytes,
  facts: OggSegmentFacts,
  position: number,
): Promise<StartEdge | null> {
  const { before, after } = await pagesAround(read, searched(facts), position);
  if (after === null) return null;
  const between = await pagesBetween(read, { before, after, facts });
  if (before?.page.granulePosition === position && between !== null) return startAfter(before);
  const first = timedPackets({ found: after, before, between }).find(({ startsAt }) => startsAt >= position);
  if (first === undefined) return startAfter(after);
  const { page } = after;
  return {
    page: {
      found: after,
      fromSegment: first.fromSegment,
      untilSegment: page.lacing.length,
      granulePosition: page.granulePosition,
    },
    fromByte: pageEndByte(after),
    startsAt: first.startsAt,
    firstSequenceNumber: page.sequenceNumber,
  };
}

/** The edge after the last packet that ends on a page, without the start of one that continues on the next page. */
function endAfter(found: LocatedPage): EndEdge {
  const { page, startsAtByte } = found;
  const { granulePosition } = page;
  const isCut = continues(page);
  return {
    isOwn: false,
    page: isCut ? { found, fromSegment: 0, untilSegment: continuedFrom(page), granulePosition } : null,
    untilByte: isCut ? startsAtByte : pageEndByte(found),
    lastPageStartsAtByte: startsAtByte,
    lastSequenceNumber: page.sequenceNumber,
    lastGranulePosition: granulePosition,
    lastPacketEndsAt: granulePosition,
  };
}

/** Finds the last packet of a file that ends at or before a position; null if there is none. */
export async function endEdge(
  read: ReadBytes,
  facts: OggSegmentFacts,
  position: number,
): Promise<EndEdge | null> {
  const { before, after } = await pagesAround(read, searched(facts), position);
  const between = after && (await pagesBetween(read, { before, after, facts }));
  const packets = after === null ? [] : timedPackets({ found: after, before, between });
  const firstOutside = packets.findIndex(({ endsAt }) => endsAt > position);
  const last = packets.slice(0, firstOutside < 0 ? packets.length : firstOutside).at(-1);
  if (after === null || last === undefined) return before && endAfter(before);
  const { endsAt, untilSegment } = last;
  return {
    isOwn: false,
    page: { found: after, fromSegment: 0, untilSegment, granulePosition: endsAt },
    untilByte: after.startsAtByte,
    lastPageStartsAtByte: after.startsAtByte,
    lastSequenceNumber: after.page.sequenceNumber,
    lastGranulePosition: endsAt,
    lastPacketEndsAt: endsAt,
  };
}

/**
 * Finds the last whole page that ends at or before a position and is not the file's last page: bytes up to it are
 * the same however the file continues. Null if there is none.
 */
export async function pageEdge(
  read: ReadBytes,
  facts: OggSegmentFacts,
  position: number,
): Promise<EndEdge | null> {
  const run = { ...searched(facts), untilByte: facts.lastPageStartsAtByte };
  let { before } = await pagesAround(read, run, position);
  // A packet that continues on the next page ends after the position.
  while (before !== null && continues(before.page))
    ({ before } = await pagesAround(read, run, before.page.granulePosition - 1));
  return before && endAfter(before);
}
