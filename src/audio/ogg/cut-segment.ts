import { second } from '#base/duration.ts';
import {
  type OggSegmentFacts,
  type PageHead,
  type PageRun,
  type ReadBytes,
  wholeRun,
} from './joined-facts.ts';
import { type JoinableSegment, type JoinedLayout, layOut, timelineEndMs } from './joined-layout.ts';
import { longestOggPageBytes, type OggPage, packetsOf, readOggPage } from './ogg-page.ts';
import { opusGranuleRateHz, opusPacketSamples } from './opus-packet.ts';

/**
 * How much is played in front of a window at least. RFC 7845 §4.6 recommends 80 ms; but after a seek Firefox
 * is late by as much of the pre-skip as that (measured, decision 0063), so it is as short as a recorder's
 * own, and what lies in front of the first moment is cut to the packet.
 */
const leastPreSkip = 312;
/** The pre-skip field has 16 bits (RFC 7845 §5.1). */
const longestPreSkip = 65_535;
/** Usually holds a whole page of ours; a longer page is looked for in more. */
const usualWindowBytes = 8 * 1024;

const samplesPerMs = opusGranuleRateHz / second;

interface FoundPage {
  startsAtByte: number;
  page: OggPage;
}

function pageIn(bytes: Uint8Array, firstByte: number): FoundPage | null {
  for (let at = bytes.indexOf(0x4f); at >= 0; at = bytes.indexOf(0x4f, at + 1)) {
    const page = readOggPage(bytes, at);
    if (page && page.granulePosition >= 0) return { startsAtByte: firstByte + at, page };
  }
  return null;
}

/**
 * The first whole page with a position that begins at a byte or behind it; null where none does before
 * `untilByte`.
 */
async function pageFrom(read: ReadBytes, fromByte: number, untilByte: number): Promise<FoundPage | null> {
  const usually = pageIn(await read(fromByte, Math.min(untilByte, fromByte + usualWindowBytes)), fromByte);
  if (usually !== null) return usually;
  for (let startByte = fromByte; startByte < untilByte; startByte += longestOggPageBytes) {
    const found = pageIn(
      await read(startByte, Math.min(untilByte, startByte + 2 * longestOggPageBytes)),
      startByte,
    );
    if (found !== null) return found;
  }
  return null;
}

/**
 * The two pages around a position of a file: the last one that ends at it or before, and the first one that
 * ends behind it.
 */
interface Around {
  before: FoundPage | null;
  after: FoundPage;
}

/**
 * Finds a position in a file by bisection: the number of reads grows with the logarithm of the length.
 * Null where no page ends behind the position.
 */
async function pagesAround(read: ReadBytes, run: PageRun, position: number): Promise<Around | null> {
  let before: FoundPage | null = null;
  let [lowByte, highByte] = [run.fromByte, run.untilByte];
  let after: FoundPage | null = null;
  while (lowByte < highByte) {
    const middleByte = lowByte + Math.floor((highByte - lowByte) / 2);
    const found = await pageFrom(read, middleByte, run.untilByte);
    if (found === null || found.page.granulePosition > position) {
      if (found !== null) after = found;
      highByte = middleByte;
    } else {
      before = found;
      lowByte = found.startsAtByte + found.page.sizeBytes;
    }
  }
  return after && { before, after };
}

const endOf = ({ startsAtByte, page }: FoundPage): number => startsAtByte + page.sizeBytes;

/**
 * The packets of a page from the one on in which a position lies; null where the page is wanted whole, or its
 * packets go on over its ends.
 */
function headFrom(
  { page }: FoundPage,
  startsAt: number,
  position: number,
): (PageHead & { startsAt: number }) | null {
  if (page.continuesPacket || page.lacing.at(-1) === 255) return null;
  const packets = packetsOf(page);
  let first = 0;
  let firstAt = startsAt;
  for (
    let next = firstAt + opusPacketSamples(packets[first] ?? noPacket);
    first < packets.length && next <= position;
    next += opusPacketSamples(packets[first] ?? noPacket)
  ) {
    firstAt = next;
    first += 1;
  }
  return first === 0 || first >= packets.length
    ? null
    : {
        packets: packets.slice(first).map((packet) => packet.slice()),
        endsAt: page.granulePosition,
        startsAt: firstAt,
      };
}

const noPacket = new Uint8Array();

/**
 * The same run, beginning with the packet in which a position lies.
 * @param options.until where the window ends: the page that holds the end stays whole
 */
async function startingAt(
  read: ReadBytes,
  run: PageRun,
  { position, until }: { position: number; until: number },
): Promise<PageRun | null> {
  const around = await pagesAround(read, run, position);
  if (around === null) return null;
  const { before, after } = around;
  const isNext = before === null || endOf(before) === after.startsAtByte;
  const startsAt = before?.page.granulePosition ?? run.startsAt;
  const isInside = endOf(after) < run.untilByte && after.page.granulePosition < until;
  const head = isNext && isInside ? headFrom(after, startsAt, position) : null;
  if (head !== null)
    return {
      ...run,
      fromByte: endOf(after),
      startsAt: head.startsAt,
      firstSequenceNumber: after.page.sequenceNumber + 1,
      head,
    };
  return before === null
    ? run
    : { ...run, fromByte: endOf(before), startsAt, firstSequenceNumber: before.page.sequenceNumber + 1 };
}

/** The same run, ending with the page in which a position lies, its sound trimmed to that. */
async function endingAt(read: ReadBytes, run: PageRun, position: number): Promise<PageRun> {
  const around = await pagesAround(read, run, position - 1);
  if (around === null) return run;
  const { startsAtByte, page } = around.after;
  return {
    ...run,
    untilByte: endOf(around.after),
    lastPageStartsAtByte: startsAtByte,
    lastSequenceNumber: page.sequenceNumber,
    lastGranulePosition: Math.min(position, page.granulePosition),
    lastPacketEndsAt: page.granulePosition,
    endsStream: false,
  };
}

/** From one moment of a timeline to another; `endMs` may be Infinity. */
export interface TimeWindow {
  startMs: number;
  endMs: number;
}

const outside = (segment: JoinableSegment): JoinableSegment => ({ ...segment, run: null });

/** Where a moment of the timeline lies in a segment, as a granule position of its file. */
const positionIn = ({ startMs }: JoinableSegment, facts: OggSegmentFacts, atMs: number): number =>
  Math.round((atMs - startMs) * samplesPerMs) + facts.preSkip;

async function cutSegment(
  segment: JoinableSegment,
  read: ReadBytes,
  { startMs, endMs }: TimeWindow,
): Promise<JoinableSegment> {
  const { facts } = segment;
  if (facts === null) return segment;
  const from = positionIn(segment, facts, startMs);
  const until = positionIn(segment, facts, endMs);
  if (from >= facts.lastPacketEndsAt || until <= facts.preSkip) return outside(segment);
  const started =
    from <= facts.preSkip
      ? wholeRun(facts)
      : await startingAt(read, wholeRun(facts), { position: from - leastPreSkip, until });
  if (started === null) return outside(segment);
  return {
    ...segment,
    run: until >= facts.lastGranulePosition ? started : await endingAt(read, started, until),
  };
}

/**
 * How much the first segment of a cut timeline plays before the window begins, in samples; null where it
 * begins in the window.
 */
function preSkipOf(cut: readonly JoinableSegment[], { startMs }: TimeWindow): number | null {
  const first = cut.find(({ facts, run }) => facts !== null && run !== null);
  if (!first?.facts || !first.run || first.startMs >= startMs) return null;
  return Math.min(longestPreSkip, positionIn(first, first.facts, startMs) - first.run.startsAt);
}

/** What of a timeline is laid out: `isEnded` and `endMs` as `layOut` has them. */
export interface WindowOptions {
  window: TimeWindow;
  isEnded: boolean;
  endMs: number;
}

/**
 * Lays a window of a timeline out as one Ogg/Opus stream that begins at time 0. It is cut by packets, and
 * nothing is encoded again: what lies in front of the window's first moment becomes pre-skip, what lies
 * behind its last is trimmed (RFC 7845 §4.2, §4.4). The cost grows with the number of segments and the
 * logarithm of their length.
 */
export async function layOutWindow(
  segments: readonly JoinableSegment[],
  read: (segment: number) => ReadBytes,
  { window, isEnded, endMs }: WindowOptions,
): Promise<JoinedLayout> {
  const cut = await Promise.all(segments.map((segment, index) => cutSegment(segment, read(index), window)));
  const isFull = timelineEndMs(segments, endMs) >= window.endMs;
  return layOut(cut, {
    isEnded: isEnded || isFull,
    endMs: isFull ? window.endMs : endMs,
    start: { startMs: window.startMs, preSkip: preSkipOf(cut, window) },
  });
}
