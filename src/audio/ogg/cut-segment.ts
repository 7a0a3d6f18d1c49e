import { second } from '#base/duration.ts';
import {
  type OggSegmentFacts,
  type PageHead,
  type PageRun,
  type ReadBytes,
  wholeRun,
} from './joined-facts.ts';
import { type JoinableSegment, type JoinedLayout, layOut, timelineEndMs } from './joined-layout.ts';
import { packetsOf } from './ogg-page.ts';
import { opusGranuleRateHz, opusPacketSamples } from './opus-packet.ts';
import { pageEndByte, type LocatedPage, pagesAround } from './page-search.ts';

/**
 * Minimum of sound played before a window. RFC 7845 §4.6 recommends 80 ms, but after a seek Firefox is late by the
 * pre-skip, up to 80 ms (measured, decision 0063). So the pre-skip is as short as a recorder's, and sound before the
 * first moment is cut to the packet.
 */
const minPreSkip = 312;
/** The pre-skip field has 16 bits (RFC 7845 §5.1). */
const maxPreSkip = 65_535;
const samplesPerMs = opusGranuleRateHz / second;

/**
 * The packets of a page from the one that contains a position; null if the whole page is needed, or its packets
 * continue across its ends.
 */
function headFrom(
  { page }: LocatedPage,
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
  const { before, after } = await pagesAround(read, run, position);
  if (after === null) return null;
  const isNext = before === null || pageEndByte(before) === after.startsAtByte;
  const startsAt = before?.page.granulePosition ?? run.startsAt;
  const isInside = pageEndByte(after) < run.untilByte && after.page.granulePosition < until;
  const head = isNext && isInside ? headFrom(after, startsAt, position) : null;
  if (head !== null)
    return {
      ...run,
      fromByte: pageEndByte(after),
      startsAt: head.startsAt,
      firstSequenceNumber: after.page.sequenceNumber + 1,
      head,
    };
  return before === null
    ? run
    : {
        ...run,
        fromByte: pageEndByte(before),
        startsAt,
        firstSequenceNumber: before.page.sequenceNumber + 1,
      };
}

/** The run shortened to end with the page that contains a position, its sound trimmed to the position. */
async function endingAt(read: ReadBytes, run: PageRun, position: number): Promise<PageRun> {
  const { after } = await pagesAround(read, run, position - 1);
  if (after === null) return run;
  const { startsAtByte, page } = after;
  return {
    ...run,
    untilByte: pageEndByte(after),
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
      : await startingAt(read, wholeRun(facts), { position: from - minPreSkip, until });
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
  return Math.min(maxPreSkip, positionIn(first, first.facts, startMs) - first.run.startsAt);
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
