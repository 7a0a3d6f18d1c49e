import type { Extent } from '#web/features/player/peaks/peaks-reader.ts';
import { xOf, type Viewport } from './viewport.ts';

/** Bars if each covers many points; a continuous outline once individual waves are visible. */
export type WaveStyle = 'bars' | 'outline';

/**
 * One drawn column: `x` is its left edge in CSS pixels, heights are fractions of full scale (−1 to 1). `loudness` is
 * the root mean square of the peaks in it, at most as high as the highest; null if it is not drawn.
 */
export interface Column {
  x: number;
  lowest: number;
  highest: number;
  loudness: number | null;
}

export interface WaveColumns {
  style: WaveStyle;
  stepPx: number;
  columns: readonly Column[];
}

export const barStepPx = 4;
const fullScale = 128;
const outlineBelowMsPerPx = 20;

/** Whole recordings are always bars, so that short and long takes look alike. */
export function waveStyleOf(view: Viewport, durationMs: number): WaveStyle {
  const whole = view.spanMs >= durationMs - 1;
  return whole || view.spanMs / view.widthPx > outlineBelowMsPerPx ? 'bars' : 'outline';
}

/** Column width: the step of a bar, or in the outline a pixel, but never less than one point of 10 ms. */
export function columnStepPx(view: Viewport, style: WaveStyle): number {
  const pxPerPoint = (10 / view.spanMs) * view.widthPx;
  return style === 'bars' ? barStepPx : Math.max(1, pxPerPoint);
}

/** Reads the loaded points of a time range; null if there are none. */
export interface ColumnSource {
  extentOf: (time: { fromMs: number; toMs: number }) => Extent | null;
  /** In the scale of `extentOf`. Only bars need it: an outline has about one point per column. */
  loudnessOf: (time: { fromMs: number; toMs: number }) => number | null;
}

/**
 * Divides the view into columns aligned to time rather than to the window, so that scrolling does not flicker.
 * Columns without loaded points are left out.
 */
export function columnsOf(
  view: Viewport,
  style: WaveStyle,
  { extentOf, loudnessOf }: ColumnSource,
): WaveColumns {
  const stepPx = columnStepPx(view, style);
  const stepMs = (stepPx / view.widthPx) * view.spanMs;
  const first = Math.floor(view.startMs / stepMs);
  const last = Math.ceil((view.startMs + view.spanMs) / stepMs);
  const columns: Column[] = [];
  for (let index = first; index < last; index++) {
    const time = { fromMs: index * stepMs, toMs: (index + 1) * stepMs };
    const extent = extentOf(time);
    if (!extent) continue;
    const loudness = style === 'bars' ? loudnessOf(time) : null;
    columns.push({
      x: xOf(view, index * stepMs),
      lowest: extent.lowest / fullScale,
      highest: extent.highest / fullScale,
      loudness: loudness === null ? null : loudness / fullScale,
    });
  }
  return { style, stepPx, columns };
}
