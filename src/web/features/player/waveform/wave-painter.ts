import { followSize, type CanvasSize } from '#web/ui/dom/canvas-size.ts';
import { levelFor, loudnessLevelFor, pointsBetween } from '#web/features/player/peaks/tile-selection.ts';
import { columnStepPx, columnsOf, waveStyleOf, type WaveColumns } from './columns.ts';
import { fitView, xOf, type Viewport } from './viewport.ts';
import { onThemeChange, readWaveColours, type WaveColours } from './wave-colours.ts';
import { drawWaveform, type WaveScene } from './waveform-renderer.ts';
import type { Waveform } from './waveform.ts';

export type WaveKind = 'overview' | 'detail';

/** Draws a waveform on a canvas and follows size and theme. Returns a function that detaches the canvas. */
export function paintWave(canvas: HTMLCanvasElement, waveform: Waveform, kind: WaveKind): () => void {
  const lifetime = new AbortController();
  let size: CanvasSize | null = null;
  let colours: WaveColours | null = null;
  const paint = () => {
    if (size === null || size.widthPx === 0) return;
    const context = canvas.getContext('2d');
    colours ??= readWaveColours(canvas);
    if (context) drawWaveform(context, sceneOf(waveform, kind, { ...size, colours }));
  };
  const unfollow = followSize(canvas, (now) => {
    size = now;
    if (kind === 'detail') waveform.setWidth(now.widthPx);
    // A resized canvas is blank, so draw it immediately.
    paint();
  });
  onThemeChange(() => {
    colours = null;
    waveform.invalidate();
  }, lifetime.signal);
  const remove = waveform.addPainter(paint);
  return () => {
    remove();
    unfollow();
    lifetime.abort();
  };
}

type Surface = Pick<WaveScene, 'widthPx' | 'heightPx' | 'pixelRatio' | 'colours'>;

function sceneOf(waveform: Waveform, kind: WaveKind, surface: Surface): WaveScene {
  const { view: detail, durationMs } = waveform.getSnapshot();
  const { markers, gaps, breaks, muted } = waveform.content;
  const view: Viewport =
    kind === 'detail'
      ? { ...detail, widthPx: surface.widthPx }
      : fitView({ ...detail, widthPx: surface.widthPx }, durationMs);
  return {
    ...surface,
    columns: readColumns(waveform, view, kind),
    playheadX: xOf(view, waveform.shownPositionMs()),
    gaps: gaps.map((gap) => ({ fromX: xOf(view, gap.atMs), toX: xOf(view, gap.atMs + gap.durationMs) })),
    breaksX: breaks.map(({ atMs }) => xOf(view, atMs)),
    muted: muted.map(({ fromMs, toMs }) => ({
      fromX: xOf(view, fromMs),
      toX: xOf(view, toMs ?? durationMs),
    })),
    markers: markers.map(({ atMs, colour = 'blue' }) => ({ x: xOf(view, atMs), colour })),
    windowX:
      kind === 'detail'
        ? null
        : { fromX: xOf(view, detail.startMs), toX: xOf(view, detail.startMs + detail.spanMs) },
    selectionX: waveform.selection && {
      fromX: xOf(view, waveform.selection.fromMs),
      toX: xOf(view, waveform.selection.toMs),
    },
    hasKnob: kind === 'detail',
  };
}

interface CachedPainter {
  key: string;
  columns: WaveColumns;
}
const painters = new WeakMap<Waveform, Map<WaveKind, CachedPainter>>();

/** Columns are computed again only when the view or the points change; a moved playhead alone costs two fills. */
function readColumns(waveform: Waveform, view: Viewport, kind: WaveKind): WaveColumns {
  const { reader } = waveform;
  const style = waveStyleOf(view, waveform.content.durationMs);
  const { layout } = reader;
  if (!layout) return { style, stepPx: 1, columns: [] };
  const key = `${reader.revision}/${view.startMs}/${view.spanMs}/${view.widthPx}`;
  const perKind = painters.get(waveform) ?? new Map<WaveKind, CachedPainter>();
  painters.set(waveform, perKind);
  const known = perKind.get(kind);
  if (known?.key === key) return known.columns;
  const msPerColumn = (columnStepPx(view, style) / view.widthPx) * view.spanMs;
  const seen = { fromMs: view.startMs, toMs: view.startMs + view.spanMs };
  const level = levelFor(layout, msPerColumn);
  const loudnessLevel =
    style === 'bars' ? loudnessLevelFor(layout, { msPerColumn, spanMs: view.spanMs }) : level;
  reader.want(kind, [
    pointsBetween(layout, level, seen),
    ...(loudnessLevel === level ? [] : [pointsBetween(layout, loudnessLevel, seen)]),
  ]);
  const columns = columnsOf(view, style, {
    extentOf: (time) => reader.extent(level, time),
    loudnessOf: (time) => reader.loudness(loudnessLevel, time),
  });
  perKind.set(kind, { key, columns });
  return columns;
}
