import { followSize, type CanvasSize } from '#web/ui/dom/canvas-size.ts';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import { readWaveColours, onThemeChange, type WaveColours } from './wave-colours.ts';
import type { Waveform } from './waveform.ts';
import { rulerOf } from './ruler.ts';

const shortTickPx = 4;
const longTickPx = 8;

interface Look {
  font: string;
  colours: WaveColours;
}

/**
 * Ties a canvas to a waveform's view: ticks at its lower edge, labels beside the long ones. The undo lets
 * everything go.
 */
export function paintRuler(canvas: HTMLCanvasElement, waveform: Waveform): () => void {
  const lifetime = new AbortController();
  let size: CanvasSize | null = null;
  let look: Look | null = null;
  let drawn = '';
  const paint = () => {
    if (size === null || size.widthPx === 0) return;
    const { widthPx, heightPx, pixelRatio } = size;
    const { view } = waveform.getSnapshot();
    const key = `${view.startMs}/${view.spanMs}/${widthPx}`;
    const context = key === drawn ? null : canvas.getContext('2d');
    if (!context) return;
    drawn = key;
    look ??= { font: getComputedStyle(canvas).font, colours: readWaveColours(canvas) };
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, widthPx, heightPx);
    drawTicks(context, { ...view, widthPx }, { heightPx, look });
  };
  const again = () => {
    drawn = '';
    look = null;
    waveform.invalidate();
  };
  const unfollow = followSize(canvas, (now) => {
    size = now;
    drawn = '';
    paint();
  });
  onThemeChange(again, lifetime.signal);
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
  { heightPx, look }: { heightPx: number; look: Look },
): void {
  const { ticks, hasTenths } = rulerOf(view);
  context.font = look.font;
  context.textBaseline = 'middle';
  context.direction = 'ltr';
  context.fillStyle = look.colours.rest;
  for (const { x, isLabelled } of ticks)
    context.fillRect(
      Math.round(x),
      heightPx - (isLabelled ? longTickPx : shortTickPx),
      1,
      isLabelled ? longTickPx : shortTickPx,
    );
  context.fillStyle = look.colours.label;
  for (const { x, atMs, isLabelled } of ticks) {
    if (isLabelled)
      context.fillText(formatTimecode(atMs, { tenths: hasTenths }), Math.round(x) + 4, heightPx / 2 - 1);
  }
}
