import type { TimeWindow } from '#audio/ogg/cut-segment.ts';

/** A moment or a span of the timeline: one with a duration, as a gap, is clipped to the windows. */
interface Moment {
  atMs: number;
}

const streamStartMs = (windows: readonly TimeWindow[]): number => windows[0]?.startMs ?? 0;

/** The moments inside the windows, with times from the start of the first window. */
export const momentsInside = <Timed extends Moment>(
  moments: readonly Timed[],
  windows: readonly TimeWindow[],
): Timed[] =>
  moments
    .filter(({ atMs }) => windows.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs))
    .map((moment) => ({ ...moment, atMs: moment.atMs - streamStartMs(windows) }));

/** The parts of spans inside the windows, with times from the start of the first window. */
export const spansInside = <Timed extends Moment & { durationMs: number }>(
  spans: readonly Timed[],
  windows: readonly TimeWindow[],
): Timed[] =>
  spans.flatMap((span) =>
    windows.flatMap(({ startMs, endMs }) => {
      const fromMs = Math.max(startMs, span.atMs);
      const toMs = Math.min(endMs, span.atMs + span.durationMs);
      return fromMs < toMs
        ? [{ ...span, atMs: fromMs - streamStartMs(windows), durationMs: toMs - fromMs }]
        : [];
    }),
  );

/**
 * The notes whose moment or whose start is inside the windows; a range is clipped to the window of its start. Times
 * are from the start of the first window.
 */
export const notesInside = <Timed extends { fromMs: number; toMs: number | null }>(
  notes: readonly Timed[],
  windows: readonly TimeWindow[],
): Timed[] =>
  notes.flatMap((note) => {
    const window = windows.find(({ startMs, endMs }) => note.fromMs >= startMs && note.fromMs < endMs);
    if (window === undefined) return [];
    const shiftMs = streamStartMs(windows);
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
