/** The size of a canvas in CSS pixels, and the device pixels per CSS pixel. */
export interface CanvasSize {
  widthPx: number;
  heightPx: number;
  pixelRatio: number;
}

/**
 * Matches a canvas's resolution to its size and calls `onSize`, also initially. A canvas whose size changed is
 * empty and has to be redrawn. The size comes from the current layout: measuring the element after resizing the
 * canvas would force another layout. The callback runs at once, so that the empty canvas is never visible. Only
 * the first call runs in its own task, because all canvases of a page would otherwise be drawn in the frame of its
 * layout.
 * @returns stops that
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
