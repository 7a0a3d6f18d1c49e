import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import type { ReadSegment } from '#audio/ogg/joined-bytes.ts';
import type { OggSegmentFacts, ReadBytes } from '#audio/ogg/joined-facts.ts';
import { emptyLayout, type JoinableSegment, type JoinedLayout, layOut } from '#audio/ogg/joined-layout.ts';
import { shortestSilence } from '#audio/ogg/joined-silence.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { endEdge, type EndEdge, ownEnd, ownStart, pageEdge, startEdge } from './window-edges.ts';
import { type WindowPart, windowPart } from './window-part.ts';

/** A segment of the timeline with its file; `facts` is null if it is not playable. */
export interface WindowedSegment {
  startMs: number;
  facts: OggSegmentFacts | null;
  read: ReadBytes;
}

/** What is laid out. */
export interface WindowLayoutOptions {
  /** In order, without overlap. The stream starts with the first one and is silent between them. */
  windows: readonly TimeWindow[];
  /** Serial number of the stream (RFC 3533 §6 field 5). */
  serialNumber: number;
  /** Whether no more sound will follow. */
  isEnded: boolean;
  /** The end of an ended timeline, if it is after its last sound. */
  endMs: number;
  /** While the recording grows, sound is withheld until this much more has been received. */
  delayMs: number;
}

/** A part of a segment in a window stream, and the segment's index. */
interface PlacedPart extends WindowPart {
  segment: number;
  startMs: number;
}

/** The origin of every byte of a window stream. Items name a part by its index. */
export interface WindowLayout {
  layout: JoinedLayout;
  parts: readonly PlacedPart[];
  read: ReadSegment;
  /** Whether all windows are laid out. Otherwise more follows, and the bytes laid out now do not change. */
  isComplete: boolean;
  /** The moment of the timeline up to which sound is given. */
  givenUntilMs: number;
}

const samplesPerMs = opusGranuleRateHz / 1000;

/** Converts a moment of the timeline to a granule position of a segment's file. */
const positionIn = (startMs: number, facts: OggSegmentFacts, atMs: number): number =>
  Math.round((atMs - startMs) * samplesPerMs) + facts.preSkip;

/** Converts a granule position of a segment's file to a moment of the timeline. */
const timeOf = (startMs: number, facts: OggSegmentFacts, position: number): number =>
  startMs + (position - facts.preSkip) / samplesPerMs;

const soundEndMs = ({ startMs, facts }: WindowedSegment): number =>
  facts === null ? 0 : timeOf(startMs, facts, facts.lastGranulePosition);

interface CutOptions {
  segment: number;
  window: TimeWindow;
  serialNumber: number;
  /** Whether the stream starts with this window. */
  isFirst: boolean;
}

/** Cuts a part between a window's start and an end that is found by position. */
async function cutPart(
  { startMs, facts, read }: WindowedSegment,
  { segment, window, serialNumber, isFirst }: CutOptions,
  findEnd: (facts: OggSegmentFacts) => Promise<EndEdge | null>,
): Promise<PlacedPart | null> {
  if (facts === null) return null;
  const from = positionIn(startMs, facts, window.startMs);
  if (from >= facts.lastGranulePosition || window.endMs <= startMs) return null;
  const [start, end] = await Promise.all([
    window.startMs <= startMs ? ownStart(facts) : startEdge(read, facts, from),
    findEnd(facts),
  ]);
  if (start === null || end === null) return null;
  const leadSamples = isFirst && window.startMs > startMs ? start.startsAt - from : 0;
  const part = await windowPart({ facts, read, serialNumber }, { start, end, leadSamples });
  return part && { ...part, segment, startMs };
}

/** The part of a segment in a window: only packets that are wholly inside. */
const wholePart = (segment: WindowedSegment, options: CutOptions): Promise<PlacedPart | null> =>
  cutPart(segment, options, async (facts) => {
    const until = positionIn(segment.startMs, facts, options.window.endMs);
    return until >= facts.lastGranulePosition ? ownEnd(facts) : endEdge(segment.read, facts, until);
  });

/**
 * The part of a segment of a growing recording: whole pages up to a limit, without the last page of the file. A page
 * that may become the last one of the window, because no packet and no silence fits behind it, is withheld too: its end
 * flag would change.
 */
const growingPart = (
  segment: WindowedSegment,
  { limitMs, ...options }: CutOptions & { limitMs: number },
): Promise<PlacedPart | null> =>
  cutPart(segment, options, (facts) => {
    const position = (atMs: number): number => positionIn(segment.startMs, facts, atMs);
    const latest = Math.min(position(limitMs), position(options.window.endMs) - shortestSilence - 1);
    return pageEdge(segment.read, facts, latest);
  });

const isPart = (part: PlacedPart | null): part is PlacedPart => part !== null;

/** The parts of all segments in a window that is complete. */
async function partsOfWindow(
  segments: readonly WindowedSegment[],
  options: Omit<CutOptions, 'segment'>,
): Promise<PlacedPart[]> {
  const parts = await Promise.all(segments.map((each, segment) => wholePart(each, { ...options, segment })));
  return parts.filter(isPart);
}

/**
 * The parts in a window that still grows. The last one ends with a whole page that is followed by another one, so
 * that neither a trimmed end nor the end of the stream changes it later.
 */
async function partsOfGrowingWindow(
  segments: readonly WindowedSegment[],
  { limitMs, ...options }: Omit<CutOptions, 'segment'> & { limitMs: number },
): Promise<PlacedPart[]> {
  for (let last = segments.length - 1; last >= 0; last -= 1) {
    const each = segments[last];
    const part = each && (await growingPart(each, { ...options, segment: last, limitMs }));
    if (part) return [...(await partsOfWindow(segments.slice(0, last), options)), part];
  }
  return [];
}

/** The headers of the first playable segment, for windows without any packet. */
async function silentSegment(
  segments: readonly WindowedSegment[],
  serialNumber: number,
): Promise<(JoinableSegment & { read: ReadBytes }) | null> {
  for (const { startMs, facts, read } of segments) {
    const part =
      facts &&
      (await windowPart({ facts, read, serialNumber }, { start: ownStart(facts), end: ownEnd(facts) }));
    if (part) return { startMs, facts: part.facts, run: null, read: part.read };
  }
  return null;
}

const partEndMs = ({ startMs, facts, run }: PlacedPart): number =>
  timeOf(startMs, facts, run.lastGranulePosition);

/** Where the first part starts, in samples after the start of the stream; negative for its own pre-skip. */
const startsAfter = ({ startMs, facts, run }: PlacedPart, streamStartMs: number): number =>
  Math.round((startMs - streamStartMs) * samplesPerMs) + run.startsAt - facts.preSkip;

/**
 * The pre-skip of the stream (RFC 7845 §4.2): the first file's own if its start is in the window. Otherwise a part of
 * the first packet, which has no sound, so that the stream starts exactly with the window. It never discards sound of
 * the window.
 */
function preSkipOf(first: PlacedPart, streamStartMs: number): number {
  const after = startsAfter(first, streamStartMs);
  return after < 0 ? -after : (shortestSilence - (after % shortestSilence)) % shortestSilence;
}

/** How far windows can be given. `lastMs`: the end of the last one, or of an ended timeline. */
interface Progress {
  limitMs: number;
  isComplete: boolean;
  lastMs: number;
}

/** Whether all sound of the windows has been received, and, while the recording grows, been withheld long enough. */
function progressOf(
  segments: readonly WindowedSegment[],
  { windows, isEnded, endMs, delayMs }: WindowLayoutOptions,
): Progress {
  const soundMs = Math.max(0, ...segments.map(soundEndMs));
  const lastMs = windows.at(-1)?.endMs ?? 0;
  if (isEnded)
    return { limitMs: Infinity, isComplete: true, lastMs: Math.min(lastMs, Math.max(soundMs, endMs)) };
  const limitMs = soundMs - delayMs;
  return { limitMs, isComplete: lastMs <= limitMs, lastMs };
}

/** The parts of all windows that can be given: of the first window that is not complete, its whole pages. */
async function partsOf(
  segments: readonly WindowedSegment[],
  { windows, serialNumber }: WindowLayoutOptions,
  { limitMs, isComplete }: Progress,
): Promise<PlacedPart[]> {
  const grown = windows.findIndex(({ endMs }) => !isComplete && endMs > limitMs);
  const complete = grown < 0 ? windows : windows.slice(0, grown);
  const growing = windows[complete.length];
  const cut = (window: TimeWindow) => ({ window, serialNumber, isFirst: window === windows[0] });
  const parts = await Promise.all(complete.map((window) => partsOfWindow(segments, cut(window))));
  return [
    ...parts.flat(),
    ...(growing ? await partsOfGrowingWindow(segments, { ...cut(growing), limitMs }) : []),
  ];
}

/**
 * Lays out windows of a timeline as one Ogg/Opus stream that starts with the first window, without encoding again. It
 * has only packets that are wholly inside a window, and nothing else of the files: new headers and, between the
 * windows and instead of packets across their edges, silence. Reads the pages at the edges, so that the cost grows with the
 * number of segments and the logarithm of their length. Empty if nothing is inside.
 */
export async function layOutWindows(
  segments: readonly WindowedSegment[],
  options: WindowLayoutOptions,
): Promise<WindowLayout> {
  const { windows, serialNumber } = options;
  const progress = progressOf(segments, options);
  const { isComplete, lastMs } = progress;
  const streamStartMs = windows[0]?.startMs ?? 0;
  const parts = await partsOf(segments, options, progress);
  const givenUntilMs = isComplete ? lastMs : Math.max(streamStartMs, ...parts.map(partEndMs));
  const silent = parts.length === 0 && isComplete ? await silentSegment(segments, serialNumber) : null;
  const joinable: JoinableSegment[] = silent === null ? parts : [silent];
  const files = silent === null ? parts : [silent];
  const layout = layOut(joinable, {
    isEnded: isComplete,
    start: { startMs: streamStartMs, preSkip: parts[0] ? preSkipOf(parts[0], streamStartMs) : 0 },
    ...(isComplete ? { endMs: lastMs } : {}),
  });
  return {
    // Headers alone are no stream: what is left is shorter than the shortest silence.
    layout: layout.items.length > 1 ? layout : emptyLayout,
    parts,
    read: async (part, startByte, endByteExclusive) =>
      files[part]?.read(startByte, endByteExclusive) ?? new Uint8Array(),
    isComplete,
    givenUntilMs,
  };
}
