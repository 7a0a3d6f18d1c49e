/** A canvas as it is laid out, in CSS pixels, and how many of its own each of them has. */
export interface CanvasSize { widthPx: number; heightPx: number; pixelRatio: number }

/**
 * Keeps a canvas as sharp as it is large and says so, also at first; a canvas whose size changed is empty. The size comes from the layout that was just
 * made: asked of the element after its pixels changed, it would need another one.
 */
export function followSize(canvas: HTMLCanvasElement, onSize: (size: CanvasSize) => void): () => void {
  const observer = new ResizeObserver((entries) => {
    const { width, height } = entries.at(-1)?.contentRect ?? canvas.getBoundingClientRect();
    const pixelRatio = globalThis.devicePixelRatio || 1;
    const size = { widthPx: Math.round(width), heightPx: Math.round(height), pixelRatio };
    canvas.width = Math.round(size.widthPx * pixelRatio);
    canvas.height = Math.round(size.heightPx * pixelRatio);
    onSize(size);
  });
  observer.observe(canvas);
  return () => { observer.disconnect(); };
}
