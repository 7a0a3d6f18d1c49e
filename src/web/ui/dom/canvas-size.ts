/** A canvas as it is laid out, in CSS pixels, and how many of its own each of them has. */
export interface CanvasSize {
  widthPx: number;
  heightPx: number;
  pixelRatio: number;
}

/**
 * Keeps a canvas as sharp as it is large and says so, also at first; a canvas whose size changed is empty.
 * The size comes from the layout that was just made: asked of the element after its pixels changed, it would
 * need another one. It is said at once, so that a canvas that changes is not seen empty; only the first time,
 * when it was not seen before, in a task of its own: several canvases of one page would be drawn in the frame
 * that lays it out.
 */
export function followSize(canvas: HTMLCanvasElement, onSize: (size: CanvasSize) => void): () => void {
  let latest: DOMRectReadOnly | null = null;
  let first: number | null = null;
  const notify = () => {
    if (latest === null) return;
    const pixelRatio = globalThis.devicePixelRatio || 1;
    const size = { widthPx: Math.round(latest.width), heightPx: Math.round(latest.height), pixelRatio };
    canvas.width = Math.round(size.widthPx * pixelRatio);
    canvas.height = Math.round(size.heightPx * pixelRatio);
    onSize(size);
  };
  const observer = new ResizeObserver((entries) => {
    const isFirst = latest === null;
    latest = entries.at(-1)?.contentRect ?? canvas.getBoundingClientRect();
    if (isFirst) first = setTimeout(notify);
    else notify();
  });
  observer.observe(canvas);
  return () => {
    observer.disconnect();
    if (first !== null) clearTimeout(first);
  };
}
