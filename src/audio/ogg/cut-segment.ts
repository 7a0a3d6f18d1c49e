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
 * Minimum of sound played before a window. RFC 7845 §4.6 recommends 80 ms, but after a seek Firefox is late by the
 * pre-skip, up to 80 ms (measured, decision 0063). So the pre-skip is as short as a recorder's, and sound before the
 * first moment is cut to the packet.
 */
const leastPreSkip = 312;
/** The pre-skip field has 16 bits (RFC 7845 §5.1). */
const longestPreSkip = 65_535;
/** Usually contains a whole page of ours; a longer page needs more. */
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

/** The first whole page with a position that starts at or after an offset; null if none starts before `untilByte`. */
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

/** The two pages around a position: the last one that ends at or before it, and the first one that ends after it. */
interface Around {
  before: FoundPage | null;
  after: FoundPage;
}

/**
 * Finds a position in a file by bisection, so that the number of reads grows with the logarithm of the length.
 * Null if no page ends after the position.
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
 * The packets of a page from the one that contains a position; null if the whole page is needed, or its packets
 * continue across its ends.
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
 * The run shortened to start with the packet that contains a position.
 * @param options.until end of the window; the page that contains it stays whole
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

/** The run shortened to end with the page that contains a position, its sound trimmed to the position. */
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

/** A range of a timeline; `endMs` may be Infinity. */
export interface TimeWindow {
  startMs: number;
  endMs: number;
}

const outside = (segment: JoinableSegment): JoinableSegment => ({ ...segment, run: null });

/** Converts a moment of the timeline to a granule position of the segment's file. */
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
 * How much the first segment of a cut timeline plays before the window starts, in samples; null if it starts
 * within the window.
 */
function preSkipOf(cut: readonly JoinableSegment[], { startMs }: TimeWindow): number | null {
  const first = cut.find(({ facts, run }) => facts !== null && run !== null);
  if (!first?.facts || !first.run || first.startMs >= startMs) return null;
  return Math.min(longestPreSkip, positionIn(first, first.facts, startMs) - first.run.startsAt);
}

/** The window to lay out; `isEnded` and `endMs` as in `layOut`. */
export interface WindowOptions {
  window: TimeWindow;
  isEnded: boolean;
  endMs: number;
}

/**
 * Lays out a window of a timeline as one Ogg/Opus stream that starts at time 0. Cuts at packets without encoding
 * again: sound before the window becomes pre-skip, sound after it is trimmed (RFC 7845 §4.2, §4.4). The cost grows
 * with the number of segments and the logarithm of their length.
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
