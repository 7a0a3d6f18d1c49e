import type { TimeWindow } from '#audio/ogg/cut-segment.ts';

/** A moment or a span of the timeline: one with a duration, as a gap, is clipped to the windows. */
interface Moment {
  atMs: number;
}

/** A part of a timeline, and the windows of it that may leave: all of it but the passages that are withheld. */
export interface OpenPart extends TimeWindow {
  /** In order, without overlap. */
  windows: readonly TimeWindow[];
}

/** The moments inside the windows of a part, with times from the start of the part. */
export const momentsInside = <Timed extends Moment>(
  moments: readonly Timed[],
  { startMs: partStartMs, windows }: OpenPart,
): Timed[] =>
  moments
    .filter(({ atMs }) => windows.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs))
    .map((moment) => ({ ...moment, atMs: moment.atMs - partStartMs }));

/**
 * The pieces of spans inside the windows of a part, with times from the start of the part. A span without a length is
 * inside a window that ends with it as well.
 */
export const spansInside = <Timed extends Moment & { durationMs: number }>(
  spans: readonly Timed[],
  { startMs: partStartMs, windows }: OpenPart,
): Timed[] =>
  spans.flatMap((span) => {
    if (span.durationMs === 0)
      return windows.some(({ startMs, endMs }) => startMs <= span.atMs && span.atMs <= endMs)
        ? [{ ...span, atMs: span.atMs - partStartMs }]
        : [];
    return windows.flatMap(({ startMs, endMs }) => {
      const fromMs = Math.max(startMs, span.atMs);
      const toMs = Math.min(endMs, span.atMs + span.durationMs);
      return fromMs < toMs ? [{ ...span, atMs: fromMs - partStartMs, durationMs: toMs - fromMs }] : [];
    });
  });

/**
 * The notes whose moment or whose start is inside the windows of a part; a range is clipped to the window of its
 * start. Times are from the start of the part.
 */
export const notesInside = <Timed extends { fromMs: number; toMs: number | null }>(
  notes: readonly Timed[],
  { startMs: shiftMs, windows }: OpenPart,
): Timed[] =>
  notes.flatMap((note) => {
    const window = windows.find(({ startMs, endMs }) => note.fromMs >= startMs && note.fromMs < endMs);
    if (window === undefined) return [];
    const toMs = note.toMs === null ? null : Math.min(note.toMs, window.endMs) - shiftMs;
    return [{ ...note, fromMs: note.fromMs - shiftMs, toMs }];
  });

/**
 * Windows in order, without overlap, within a timeline. Adjoining windows become one; empty ones are left out.
 * @param endMs the end of the timeline; Infinity while it grows
 */
export function orderedWindows(windows: readonly TimeWindow[], endMs: number): TimeWindow[] {
  const ordered: TimeWindow[] = [];
  for (const window of windows.toSorted((a, b) => a.startMs - b.startMs)) {
    const startMs = Math.max(0, window.startMs);
    const clippedEndMs = Math.min(endMs, window.endMs);
    const last = ordered.at(-1);
    if (clippedEndMs <= startMs) continue;
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, clippedEndMs);
    else ordered.push({ startMs, endMs: clippedEndMs });
  }
  return ordered;
}

/** A part of a timeline without the passages that are withheld. */
export function openPart(part: TimeWindow, withheld: readonly TimeWindow[]): OpenPart {
  const windows: TimeWindow[] = [];
  let { startMs } = part;
  for (const passage of orderedWindows(withheld, Infinity)) {
    if (passage.startMs > startMs) windows.push({ startMs, endMs: Math.min(part.endMs, passage.startMs) });
    startMs = Math.max(startMs, passage.endMs);
  }
  windows.push({ startMs, endMs: part.endMs });
  return { ...part, windows: windows.filter((window) => window.startMs < window.endMs) };
}

/** The same part up to a moment. */
export const partUntil = ({ startMs, endMs, windows }: OpenPart, untilMs: number): OpenPart => ({
  startMs,
  endMs: Math.max(startMs, Math.min(endMs, untilMs)),
  windows: orderedWindows(windows, untilMs),
});

/** The passages of a part that are withheld, in order. */
export function withheldIn({ startMs, endMs, windows }: OpenPart): TimeWindow[] {
  const passages: TimeWindow[] = [];
  let fromMs = startMs;
  for (const window of windows) {
    passages.push({ startMs: fromMs, endMs: window.startMs });
    fromMs = window.endMs;
  }
  passages.push({ startMs: fromMs, endMs });
  return passages.filter((passage) => passage.startMs < passage.endMs);
}
