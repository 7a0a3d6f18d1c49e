import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import type { ReadSegment } from '#audio/ogg/joined-bytes.ts';
import type { OggSegmentFacts, ReadBytes } from '#audio/ogg/joined-facts.ts';
import {
  emptyLayout,
  type JoinableSegment,
  type JoinedLayout,
  layOut,
  type StreamStart,
} from '#audio/ogg/joined-layout.ts';
import { minSilenceSamples } from '#audio/ogg/joined-silence.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import type { OpenPart } from './inside-windows.ts';
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
  /** The stream lasts as long as the part, and is silent outside its windows. */
  part: OpenPart;
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
  /** Whether all of the part is laid out. Otherwise more follows, and the bytes laid out now do not change. */
  isComplete: boolean;
  /** The moment of the timeline up to which sound, or silence in its place, is given. */
  givenUntilMs: number;
  /** Whether more follows, but nothing of what would be given now, because it is withheld. */
  isWithheld: boolean;
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
  /** Whether the stream starts with this window, and whether it ends with it. */
  isFirst: boolean;
  isLast: boolean;
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
 * The part of a segment of a growing recording: whole pages up to a limit, without the last page of the file. Nothing
 * is given before the limit is inside the segment, although pages of a long pre-skip end earlier. A page that may become
 * the last one of the stream, because no packet and no silence fits behind it, is withheld too: its end flag would
 * change.
 */
const growingPart = (
  segment: WindowedSegment,
  { limitMs, ...options }: CutOptions & { limitMs: number },
): Promise<PlacedPart | null> =>
  cutPart(segment, options, async (facts) => {
    if (limitMs <= segment.startMs) return null;
    const position = (atMs: number): number => positionIn(segment.startMs, facts, atMs);
    const endsAt = position(options.window.endMs) - (options.isLast ? minSilenceSamples + 1 : 0);
    return pageEdge(segment.read, facts, Math.min(position(limitMs), endsAt));
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
  return after < 0 ? -after : (minSilenceSamples - (after % minSilenceSamples)) % minSilenceSamples;
}

/** How far a part can be given. `lastMs`: its end, or that of an ended timeline. */
interface Progress {
  limitMs: number;
  isComplete: boolean;
  lastMs: number;
  /** The windows whose every packet is final, and the one that grows, if there is one. */
  complete: readonly TimeWindow[];
  growing: TimeWindow | null;
  /** What follows the complete windows: a passage that is withheld, empty where the growing one starts at once. */
  withheld: TimeWindow;
}

/**
 * So much must have been received after the end of a window or of the part before it is complete. Otherwise it could
 * end with the last page received, whose last packet may continue.
 */
const completeAfterMs = 1;

/** Whether all sound of the part has been received, and, while the recording grows, been withheld long enough. */
function progressOf(
  segments: readonly WindowedSegment[],
  { part: { startMs, endMs: partEnd, windows }, isEnded, endMs, delayMs }: WindowLayoutOptions,
): Progress {
  const soundMs = Math.max(0, ...segments.map(soundEndMs));
  const limitMs = isEnded ? Infinity : soundMs - delayMs;
  const lastMs = isEnded ? Math.min(partEnd, Math.max(soundMs, endMs)) : partEnd;
  const isComplete = isEnded || partEnd + completeAfterMs <= limitMs;
  const grown = isComplete ? -1 : windows.findIndex((window) => window.endMs + completeAfterMs > limitMs);
  const complete = grown < 0 ? windows : windows.slice(0, grown);
  const growing = windows[complete.length] ?? null;
  return {
    limitMs,
    isComplete,
    lastMs,
    complete,
    growing,
    withheld: { startMs: complete.at(-1)?.endMs ?? startMs, endMs: growing?.startMs ?? partEnd },
  };
}

/** The parts of all windows that can be given: of the first window that is not complete, its whole pages. */
async function partsOf(
  segments: readonly WindowedSegment[],
  { part, serialNumber }: WindowLayoutOptions,
  { limitMs, complete, growing }: Progress,
): Promise<{ parts: PlacedPart[]; grown: PlacedPart[] }> {
  const cut = (window: TimeWindow) => ({
    window,
    serialNumber,
    isFirst: window.startMs === part.startMs,
    isLast: window.endMs === part.endMs,
  });
  const parts = await Promise.all(complete.map((window) => partsOfWindow(segments, cut(window))));
  const grown = growing ? await partsOfGrowingWindow(segments, { ...cut(growing), limitMs }) : [];
  return { parts: [...parts.flat(), ...grown], grown };
}

/** RFC 7845 §4.2 recommends a pre-skip of 80 ms. Recorders use this or less. */
const defaultPreSkipMs = 80;

/** How long before its start a segment may begin in the stream: the next one may not be known yet. */
const maxPreSkipMs = (segments: readonly WindowedSegment[]): number =>
  Math.max(defaultPreSkipMs, ...segments.map(({ facts }) => (facts?.preSkip ?? 0) / samplesPerMs));

/**
 * The end of the silence that can be given while a passage of a growing recording is withheld, so that listeners stay
 * as far behind as they are; null if sound follows what is given. The pre-skip of a file that starts soon after the
 * passage takes the place of silence, so that much is not given.
 */
function silentUntilMs(
  segments: readonly WindowedSegment[],
  { isComplete, limitMs, withheld }: Progress,
  grown: readonly PlacedPart[],
): number | null {
  const untilMs = Math.min(limitMs, withheld.endMs);
  if (isComplete || grown.length > 0 || untilMs <= withheld.startMs) return null;
  return untilMs - maxPreSkipMs(segments);
}

/** Whether a part starts with a passage that is withheld. */
const startsSilent = ({ startMs, windows }: OpenPart): boolean => (windows[0]?.startMs ?? Infinity) > startMs;

/**
 * What the stream is made of. One that starts with silence, or has nothing else, gets the headers of the first file,
 * whichever sound follows.
 */
async function filesOf(
  segments: readonly WindowedSegment[],
  { part, serialNumber }: WindowLayoutOptions,
  { parts, isComplete }: { parts: readonly PlacedPart[]; isComplete: boolean },
): Promise<readonly (JoinableSegment & { read: ReadBytes })[]> {
  const needsHeaders = startsSilent(part) || (parts.length === 0 && isComplete);
  const headers = needsHeaders ? await silentSegment(segments, serialNumber) : null;
  return headers === null ? parts : [headers, ...parts];
}

const startOf = (part: OpenPart, first: PlacedPart | undefined): StreamStart => ({
  startMs: part.startMs,
  preSkip: first === undefined || startsSilent(part) ? 0 : preSkipOf(first, part.startMs),
});

/** Whether the moment up to which sound could be given is in a passage that is withheld. */
const isWithheldAt = ({ isComplete, limitMs, withheld }: Progress): boolean =>
  !isComplete && limitMs >= withheld.startMs && limitMs < withheld.endMs;

/**
 * Lays out a part of a timeline as one Ogg/Opus stream, without encoding again. It has only packets that are wholly
 * inside a window of the part, and nothing else of the files: new headers and, between the windows and instead of
 * packets across their edges, silence. Reads the pages at the edges, so that the cost grows with the number of segments
 * and the logarithm of their length. Empty if nothing is inside.
 */
export async function layOutWindows(
  segments: readonly WindowedSegment[],
  options: WindowLayoutOptions,
): Promise<WindowLayout> {
  const { part } = options;
  const progress = progressOf(segments, options);
  const { isComplete, lastMs } = progress;
  const { parts, grown } = await partsOf(segments, options, progress);
  const files = await filesOf(segments, options, { parts, isComplete });
  const growingSilenceUntilMs = silentUntilMs(segments, progress, grown);
  const layout = layOut(files, {
    isEnded: isComplete,
    start: startOf(part, parts[0]),
    ...(isComplete ? { endMs: lastMs } : {}),
    ...(growingSilenceUntilMs === null ? {} : { growingSilenceUntilMs }),
  });
  const silentUntil = Math.min(growingSilenceUntilMs ?? 0, part.startMs + layout.durationMs);
  return {
    // Headers alone are no stream: what is left is shorter than the shortest silence.
    layout: layout.items.length > 1 ? layout : emptyLayout,
    parts,
    read: async (index, startByte, endByteExclusive) =>
      files[index]?.read(startByte, endByteExclusive) ?? new Uint8Array(),
    isComplete,
    givenUntilMs: isComplete ? lastMs : Math.max(part.startMs, silentUntil, ...parts.map(partEndMs)),
    isWithheld: isWithheldAt(progress),
  };
}
