import { followSize, type CanvasSize } from '#web/ui/dom/canvas-size.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { readWaveColours, onThemeChange, type WaveColours } from './wave-colours.ts';
import type { Waveform } from './waveform.ts';
import { rulerOf } from './ruler.ts';

const shortTickPx = 4;
const longTickPx = 8;

interface RulerStyle {
  font: string;
  colours: WaveColours;
}

/**
 * Draws the ruler of a waveform's view on a canvas: ticks at the lower edge, labels beside the long ones. Returns
 * a function that detaches the canvas.
 */
export function paintRuler(canvas: HTMLCanvasElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  let size: CanvasSize | null = null;
  let style: RulerStyle | null = null;
  let drawn = '';
  const paint = () => {
    if (size === null || size.widthPx === 0) return;
    const { widthPx, heightPx, pixelRatio } = size;
    const { view } = waveform.getSnapshot();
    const key = `${view.startMs}/${view.spanMs}/${widthPx}`;
    const context = key === drawn ? null : canvas.getContext('2d');
    if (!context) return;
    drawn = key;
    style ??= { font: getComputedStyle(canvas).font, colours: readWaveColours(canvas) };
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, widthPx, heightPx);
    drawTicks(context, { ...view, widthPx }, { heightPx, style });
  };
  const redraw = () => {
    drawn = '';
    style = null;
    waveform.invalidate();
  };
  const unfollow = followSize(canvas, (now) => {
    size = now;
    drawn = '';
    paint();
  });
  onThemeChange(redraw, lifetime.signal);
  const remove = waveform.addPainter(paint);
  return () => {
    remove();
    unfollow();
    lifetime.abort();
  };
}

function drawTicks(
  context: CanvasRenderingContext2D,
  view: Parameters<typeof rulerOf>[0],
  { heightPx, style }: { heightPx: number; style: RulerStyle },
): void {
  const { ticks, hasTenths } = rulerOf(view);
  context.font = style.font;
  context.textBaseline = 'middle';
  context.direction = 'ltr';
  context.fillStyle = style.colours.rest;
  for (const { x, isLabelled } of ticks)
    context.fillRect(
      Math.round(x),
      heightPx - (isLabelled ? longTickPx : shortTickPx),
      1,
      isLabelled ? longTickPx : shortTickPx,
    );
  context.fillStyle = style.colours.label;
  for (const { x, atMs, isLabelled } of ticks) {
    if (isLabelled)
      context.fillText(formatTimecode(atMs, { tenths: hasTenths }), Math.round(x) + 4, heightPx / 2 - 1);
  }
}
