import { msAt } from './viewport.ts';
import type { Waveform } from './waveform.ts';
import { DetailPress, dragFromPx, edgeUnder } from './detail-press.ts';

const wheelZoomPerPx = 0.004;

/**
 * Pointer, pinch and wheel on the detail wave: a press seeks, a drag selects or (by touch, or on the playhead)
 * scrubs, two fingers or Ctrl and the wheel zoom, a horizontal wheel scrolls.
 */
export function listenToDetail(element: HTMLElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  listenToPointers(element, waveform, lifetime.signal);
  listenToWheel(element, waveform, lifetime.signal);
  return () => lifetime.abort();
}

/** On the ruler a press or drag moves the playhead, with any pointer. */
export function listenToRuler(element: HTMLElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const scrub = ({ clientX }: PointerEvent) =>
    waveform.scrubTo(msAt(waveform.getSnapshot().view, clientX - element.getBoundingClientRect().left));
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      scrub(event);
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      if (element.hasPointerCapture(event.pointerId)) scrub(event);
    },
    { signal },
  );
  element.addEventListener('pointerup', () => waveform.commitScrub(), { signal });
  element.addEventListener('pointercancel', () => waveform.scrubTo(null), { signal });
  return () => lifetime.abort();
}

function listenToPointers(element: HTMLElement, waveform: Waveform, signal: AbortSignal): void {
  const pointers = new Map<number, number>();
  let press: DetailPress | null = null;
  const placeOf = ({ clientX }: PointerEvent) => {
    const x = clientX - element.getBoundingClientRect().left;
    return { x, atMs: msAt(waveform.getSnapshot().view, x) };
  };

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event.clientX);
      if (pointers.size > 1) press?.cancel();
      press =
        pointers.size === 1 ? new DetailPress(waveform, placeOf(event), event.pointerType === 'touch') : null;
    },
    { signal },
  );

  element.addEventListener(
    'pointermove',
    (event) => {
      if (!pointers.has(event.pointerId)) {
        element.toggleAttribute('data-edge', edgeUnder(waveform, placeOf(event).x) !== null);
        return;
      }
      const before = spread(pointers);
      pointers.set(event.pointerId, event.clientX);
      const after = spread(pointers);
      if (before && after)
        waveform.zoomBy(
          after.px / before.px,
          msAt(waveform.getSnapshot().view, after.middleX - element.getBoundingClientRect().left),
        );
      press?.move(placeOf(event));
    },
    { signal },
  );

  element.addEventListener(
    'pointerup',
    (event) => {
      if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
      press?.end();
      press = null;
    },
    { signal },
  );
  element.addEventListener(
    'pointercancel',
    (event) => {
      pointers.delete(event.pointerId);
      press?.cancel();
      press = null;
    },
    { signal },
  );
}

function listenToWheel(element: HTMLElement, waveform: Waveform, signal: AbortSignal): void {
  element.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        waveform.zoomBy(
          Math.exp(-event.deltaY * wheelZoomPerPx),
          msAt(waveform.getSnapshot().view, event.clientX - element.getBoundingClientRect().left),
        );
        return;
      }
      const byPx = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (waveform.isWhole || Math.abs(byPx) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
      event.preventDefault();
      const { view } = waveform.getSnapshot();
      waveform.panBy((byPx / view.widthPx) * view.spanMs);
    },
    { passive: false, signal },
  );
}

/**
 * On the overview a drag centres the detail view. A drag while the whole recording is visible, and a plain press,
 * seek instead.
 */
export function listenToOverview(element: HTMLElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let held: { pointerId: number; fromX: number } | null = null;
  let hasMoved = false;
  const msUnder = (clientX: number): number => {
    const { left, width } = element.getBoundingClientRect();
    return ((clientX - left) / width) * waveform.getSnapshot().durationMs;
  };
  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      held = { pointerId: event.pointerId, fromX: event.clientX };
      hasMoved = false;
    },
    { signal },
  );
  element.addEventListener(
    'pointermove',
    (event) => {
      if (held?.pointerId !== event.pointerId) return;
      // A hand that presses moves a little.
      hasMoved ||= Math.abs(event.clientX - held.fromX) >= dragFromPx;
      if (!hasMoved) return;
      if (waveform.isWhole) waveform.scrubTo(msUnder(event.clientX));
      else waveform.centreOn(msUnder(event.clientX));
    },
    { signal },
  );
  element.addEventListener(
    'pointerup',
    (event) => {
      if (held?.pointerId !== event.pointerId) return;
      held = null;
      if (hasMoved) waveform.commitScrub();
      else waveform.seek(msUnder(event.clientX));
    },
    { signal },
  );
  element.addEventListener(
    'pointercancel',
    () => {
      held = null;
      waveform.scrubTo(null);
    },
    { signal },
  );
  return () => lifetime.abort();
}

/** The distance between two fingers, and their midpoint. */
function spread(pointers: ReadonlyMap<number, number>): { px: number; middleX: number } | null {
  const [a, b] = [...pointers.values()];
  if (a === undefined || b === undefined) return null;
  return { px: Math.max(1, Math.abs(a - b)), middleX: (a + b) / 2 };
}
