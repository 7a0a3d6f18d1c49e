import type { Extent } from '#web/features/player/peaks/peaks-reader.ts';
import { xOf, type Viewport } from './viewport.ts';

/** Bars while each stands for many points; a continuous outline once single waves can be told apart. */
export type WaveStyle = 'bars' | 'outline';

/**
 * What is drawn at one place: `x` is its left edge in CSS pixels, heights are parts of full scale (−1 to 1).
 */
export interface Column {
  x: number;
  lowest: number;
  highest: number;
}

export interface WaveColumns {
  style: WaveStyle;
  stepPx: number;
  columns: readonly Column[];
}

export const barStepPx = 4;
const fullScale = 128;
const outlineBelowMsPerPx = 20;

/** Whole recordings are always bars, so that a short take looks like a long one. */
export function waveStyleOf(view: Viewport, durationMs: number): WaveStyle {
  const whole = view.spanMs >= durationMs - 1;
  return whole || view.spanMs / view.widthPx > outlineBelowMsPerPx ? 'bars' : 'outline';
}

/** How wide a column is: a bar's step, or in the outline a pixel, but never finer than one point of 10 ms. */
export function columnStepPx(view: Viewport, style: WaveStyle): number {
  const pxPerPoint = (10 / view.spanMs) * view.widthPx;
  return style === 'bars' ? barStepPx : Math.max(1, pxPerPoint);
}

/**
 * Cuts the view into columns that are anchored in time, not in the window, so that nothing flickers while
 * scrolling. Columns without loaded points are left out.
 */
export function columnsOf(
  view: Viewport,
  style: WaveStyle,
  extentOf: (time: { fromMs: number; toMs: number }) => Extent | null,
): WaveColumns {
  const stepPx = columnStepPx(view, style);
  const stepMs = (stepPx / view.widthPx) * view.spanMs;
  const first = Math.floor(view.startMs / stepMs);
  const last = Math.ceil((view.startMs + view.spanMs) / stepMs);
  const columns: Column[] = [];
  for (let index = first; index < last; index++) {
    const extent = extentOf({ fromMs: index * stepMs, toMs: (index + 1) * stepMs });
    if (extent)
      columns.push({
        x: xOf(view, index * stepMs),
        lowest: extent.lowest / fullScale,
        highest: extent.highest / fullScale,
      });
  }
  return { style, stepPx, columns };
}
