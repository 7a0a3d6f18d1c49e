import { hour, minute, second } from '#base/duration.ts';
import { xOf, type Viewport } from './viewport.ts';

/** A tick on the ruler; `x` in CSS pixels. */
interface Tick {
  x: number;
  atMs: number;
  isLabelled: boolean;
}

export interface Ruler {
  ticks: readonly Tick[];
  hasTenths: boolean;
}

/** Time between labels, and the number of ticks per label: intervals that are easy to count in. */
const steps: readonly (readonly [stepMs: number, parts: number])[] = [
  [100, 5],
  [200, 4],
  [500, 5],
  [second, 5],
  [2 * second, 4],
  [5 * second, 5],
  [10 * second, 5],
  [15 * second, 3],
  [30 * second, 3],
  [minute, 6],
  [2 * minute, 4],
  [5 * minute, 5],
  [10 * minute, 5],
  [15 * minute, 3],
  [30 * minute, 3],
  [hour, 6],
  [2 * hour, 4],
  [3 * hour, 3],
  [6 * hour, 6],
  [12 * hour, 6],
];

/** Minimum distance between labels, for a label such as `1:23:45.6`. */
const labelSpacePx = 76;
/** A label this close to the right edge would be clipped and is left out. */
const lastLabelPx = 44;

/** The ticks of a view, at the smallest interval whose labels fit. */
export function rulerOf(view: Viewport): Ruler {
  const msPerPx = view.spanMs / Math.max(1, view.widthPx);
  const [stepMs, parts] = steps.find(([candidate]) => candidate / msPerPx >= labelSpacePx) ?? [24 * hour, 6];
  const tickMs = stepMs / parts;
  const first = Math.ceil(view.startMs / tickMs);
  const last = Math.floor((view.startMs + view.spanMs) / tickMs);
  const ticks: Tick[] = [];
  for (let index = first; index <= last; index += 1) {
    const atMs = index * tickMs;
    const x = xOf(view, atMs);
    ticks.push({ x, atMs, isLabelled: index % parts === 0 && x <= view.widthPx - lastLabelPx });
  }
  return { ticks, hasTenths: stepMs < second };
}
