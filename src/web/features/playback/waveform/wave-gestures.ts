import { msAt } from './viewport.ts';
import type { Waveform } from './waveform.ts';

const wheelZoomPerPx = 0.004;

/** Pointer, pinch and wheel on the detail wave: hold and drag moves the playhead, two fingers or Ctrl and wheel zoom, a sideways wheel scrolls. */
export function listenToDetail(element: HTMLElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const pointers = new Map<number, number>();
  const msUnder = (clientX: number): number => msAt(waveform.getSnapshot().view, clientX - element.getBoundingClientRect().left);
  const place = (event: PointerEvent) => {
    if (pointers.size === 1) waveform.scrubTo(msUnder(event.clientX));
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event.clientX);
    if (pointers.size > 1) waveform.scrubTo(null);
    place(event);
  }, { signal });

  element.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = spread(pointers);
    pointers.set(event.pointerId, event.clientX);
    const after = spread(pointers);
    if (before && after) waveform.zoomBy(after.px / before.px, msUnder(after.middleX));
    place(event);
  }, { signal });

  element.addEventListener('pointerup', (event) => {
    if (pointers.delete(event.pointerId) && pointers.size === 0) waveform.commitScrub();
  }, { signal });
  element.addEventListener('pointercancel', (event) => {
    pointers.delete(event.pointerId);
    waveform.scrubTo(null);
  }, { signal });

  element.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      waveform.zoomBy(Math.exp(-event.deltaY * wheelZoomPerPx), msUnder(event.clientX));
      return;
    }
    const byPx = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (waveform.isWhole || Math.abs(byPx) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    event.preventDefault();
    const { view } = waveform.getSnapshot();
    waveform.panBy((byPx / view.widthPx) * view.spanMs);
  }, { passive: false, signal });

  return () => lifetime.abort();
}

/** On the overview a press or drag brings that moment into the detail; unzoomed, or by a plain press, the sound goes there too. */
export function listenToOverview(element: HTMLElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  let heldPointer: number | null = null;
  let hasMoved = false;
  const msUnder = (clientX: number): number => {
    const { left, width } = element.getBoundingClientRect();
    return ((clientX - left) / width) * waveform.getSnapshot().durationMs;
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    heldPointer = event.pointerId;
    hasMoved = false;
  }, { signal });
  element.addEventListener('pointermove', (event) => {
    if (heldPointer !== event.pointerId) return;
    hasMoved = true;
    if (waveform.isWhole) waveform.scrubTo(msUnder(event.clientX));
    else waveform.centreOn(msUnder(event.clientX));
  }, { signal });
  element.addEventListener('pointerup', (event) => {
    if (heldPointer !== event.pointerId) return;
    heldPointer = null;
    if (hasMoved) waveform.commitScrub();
    else waveform.seek(msUnder(event.clientX));
  }, { signal });
  element.addEventListener('pointercancel', () => {
    heldPointer = null;
    waveform.scrubTo(null);
  }, { signal });
  return () => lifetime.abort();
}

/** How far apart two fingers are, and the place between them. */
function spread(pointers: ReadonlyMap<number, number>): { px: number; middleX: number } | null {
  const [a, b] = [...pointers.values()];
  if (a === undefined || b === undefined) return null;
  return { px: Math.max(1, Math.abs(a - b)), middleX: (a + b) / 2 };
}
