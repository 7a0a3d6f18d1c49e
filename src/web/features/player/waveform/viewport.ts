/** The time range that a waveform shows, and its width. */
export interface Viewport {
  startMs: number;
  spanMs: number;
  widthPx: number;
}

/** Closest zoom: about eight pixels per point on a wide screen. */
export const minSpanMs = 1000;

/** The x position of a moment, in CSS pixels from the left edge. */
export const xOf = (view: Viewport, atMs: number): number =>
  ((atMs - view.startMs) / view.spanMs) * view.widthPx;

/** The moment at an x position; the exact inverse of `xOf`. */
export const msAt = (view: Viewport, x: number): number => view.startMs + (x / view.widthPx) * view.spanMs;

/** Clamps a view to the recording and to the shortest span. */
export function clampView(view: Viewport, durationMs: number): Viewport {
  const longest = Math.max(durationMs, 1);
  const spanMs = Math.min(Math.max(view.spanMs, Math.min(minSpanMs, longest)), longest);
  return { ...view, spanMs, startMs: Math.min(Math.max(0, view.startMs), longest - spanMs) };
}

/** Shows the whole recording. */
export const fitView = (view: Viewport, durationMs: number): Viewport => ({
  ...view,
  startMs: 0,
  spanMs: Math.max(durationMs, 1),
});

/** Zooms by a factor (above 1: closer) and keeps the moment `atMs` at the same x position. */
export function zoomView(
  view: Viewport,
  zoom: { factor: number; atMs: number; durationMs: number },
): Viewport {
  const { spanMs } = clampView({ ...view, spanMs: view.spanMs / zoom.factor }, zoom.durationMs);
  const fraction = (zoom.atMs - view.startMs) / view.spanMs;
  return clampView({ ...view, spanMs, startMs: zoom.atMs - fraction * spanMs }, zoom.durationMs);
}

/** Moves the view when the playhead leaves it or approaches its end, so that the upcoming part is visible. */
export function followView(view: Viewport, playhead: { positionMs: number; durationMs: number }): Viewport {
  const fraction = (playhead.positionMs - view.startMs) / view.spanMs;
  if (fraction >= 0 && fraction <= 0.92) return view;
  const turned = clampView(
    { ...view, startMs: playhead.positionMs - view.spanMs * 0.08 },
    playhead.durationMs,
  );
  return turned.startMs === view.startMs ? view : turned;
}
