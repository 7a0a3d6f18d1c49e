import { selection, rangeOf } from '#web/features/player/engine/selection.ts';
import { xOf } from './viewport.ts';
import type { Waveform } from './waveform.ts';

/** Less movement than this is a press, not a drag. */
export const dragFromPx = 4;
const edgeReachPx = { mouse: 7, touch: 20 };
const playheadReachPx = 7;

/** What moving a pressed pointer does: move the playhead, or one end of the selection. */
type Drag =
  | { kind: 'undecided'; fromX: number; anchorMs: number }
  | { kind: 'playhead' }
  | { kind: 'selection'; anchorMs: number };

/** The position of a pointer in CSS pixels from the left of the wave, and the moment under it. */
interface PointerPlace {
  x: number;
  atMs: number;
}

/**
 * One press on the detail wave. Touch moves the playhead; dragging with a mouse or pen selects; all of them can
 * move the edges of a selection.
 */
export class DetailPress {
  readonly #waveform: Waveform;
  #drag: Drag;

  constructor(waveform: Waveform, place: PointerPlace, isTouch: boolean) {
    this.#waveform = waveform;
    this.#drag = this.#start(place, isTouch);
    if (this.#drag.kind !== 'selection') waveform.scrubTo(place.atMs);
  }

  move({ x, atMs }: PointerPlace): void {
    if (this.#drag.kind === 'undecided' && Math.abs(x - this.#drag.fromX) >= dragFromPx) {
      this.#waveform.scrubTo(null);
      this.#drag = { kind: 'selection', anchorMs: this.#drag.anchorMs };
    }
    if (this.#drag.kind === 'playhead') this.#waveform.scrubTo(atMs);
    if (this.#drag.kind === 'selection')
      selection.set(rangeOf(this.#drag.anchorMs, atMs, this.#waveform.getSnapshot().durationMs));
  }

  /** The pointer was released: seek to where the playhead was dragged. */
  end(): void {
    this.#waveform.commitScrub();
  }

  /** A second finger was added, or the system cancelled the pointer: nothing moves. */
  cancel(): void {
    this.#waveform.scrubTo(null);
  }

  #start({ x, atMs }: PointerPlace, isTouch: boolean): Drag {
    const edge = edgeUnder(this.#waveform, x, isTouch ? edgeReachPx.touch : edgeReachPx.mouse);
    if (edge) return { kind: 'selection', anchorMs: edge.otherMs };
    const { view } = this.#waveform.getSnapshot();
    const isOnPlayhead = Math.abs(xOf(view, this.#waveform.shownPositionMs()) - x) <= playheadReachPx;
    return isTouch || isOnPlayhead ? { kind: 'playhead' } : { kind: 'undecided', fromX: x, anchorMs: atMs };
  }
}

/**
 * The selection edge within reach of a position, returned as the opposite edge, which stays in place when this one
 * is dragged; null if none is in reach.
 */
export function edgeUnder(
  waveform: Waveform,
  x: number,
  reachPx = edgeReachPx.mouse,
): { otherMs: number } | null {
  const chosen = selection.getSnapshot();
  if (!chosen) return null;
  const { view } = waveform.getSnapshot();
  const [toStart, toEnd] = [Math.abs(xOf(view, chosen.fromMs) - x), Math.abs(xOf(view, chosen.toMs) - x)];
  if (Math.min(toStart, toEnd) > reachPx) return null;
  return { otherMs: toStart < toEnd ? chosen.toMs : chosen.fromMs };
}
