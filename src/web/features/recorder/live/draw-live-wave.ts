import { peaksFormat } from '#contract/limits.ts';

const stepPx = 4;
const barPx = 2.4;
const pointsPerBar = 6;
const cursorPx = 2;
const padPx = 10;
const stripePx = 2.5;

export interface LiveWaveView {
  widthPx: number;
  heightPx: number;
  /** The point at the right edge. Fractions move the wave smoothly. */
  head: number;
  loudest: (from: number, to: number) => number;
  isGap: (from: number, to: number) => boolean;
  /** Whether listeners hear nothing of any of the points `from` ≤ i < `to`. */
  isMuted: (from: number, to: number) => boolean;
  markersMs: readonly number[];
  isLive: boolean;
  isMeasured: boolean;
  colours: { live: string; quiet: string; marker: string };
}

/** The x position of a point in pixels from the left. The newest point is at the right edge. */
export function liveX(point: number, { widthPx, head }: Pick<LiveWaveView, 'widthPx' | 'head'>): number {
  return widthPx - cursorPx - ((head - point) / pointsPerBar) * stepPx;
}

/**
 * Height of a bar in pixels, on a curve between amplitude and perceived loudness, so that quiet speech is visible.
 */
const tall = (amplitude: number, heightPx: number) => Math.max(2, amplitude ** 0.65 * (heightPx - padPx));

function drawBar(
  canvas: CanvasRenderingContext2D,
  xPx: number,
  [amplitude, heightPx]: readonly [number, number],
): void {
  const bar = tall(amplitude, heightPx);
  canvas.beginPath();
  canvas.roundRect(xPx, (heightPx - bar) / 2, barPx, bar, barPx / 2);
  canvas.fill();
}

/** Draws a bar of a muted part as stripes, so that its sound is still seen. */
function drawMutedBar(
  canvas: CanvasRenderingContext2D,
  xPx: number,
  [amplitude, heightPx]: readonly [number, number],
): void {
  const bar = tall(amplitude, heightPx);
  const topPx = (heightPx - bar) / 2;
  for (let yPx = 0; yPx < bar; yPx += 2 * stripePx)
    canvas.fillRect(xPx, topPx + yPx, barPx, Math.min(stripePx, bar - yPx));
}

/** Draws a gap as two short strokes above and below an empty line, so that it does not look like silence. */
function drawGapBar(canvas: CanvasRenderingContext2D, xPx: number, heightPx: number): void {
  const strokePx = Math.max(2, heightPx * 0.08);
  canvas.fillRect(xPx, heightPx / 2 - 3 * strokePx, 1, strokePx);
  canvas.fillRect(xPx, heightPx / 2 + 2 * strokePx, 1, strokePx);
}

/** Draws one bar of the wave: sound, muted sound, a gap, or a dot before the take. */
function drawPart(canvas: CanvasRenderingContext2D, view: LiveWaveView, bar: number): void {
  const { widthPx, heightPx, isLive, colours } = view;
  const [from, to] = [bar * pointsPerBar, (bar + 1) * pointsPerBar];
  const xPx = liveX(from, view) - stepPx + barPx / 2;
  const age = Math.max(0, Math.min(1, xPx / widthPx));
  const isSound = bar >= 0;
  const isGap = isSound && view.isGap(from, to);
  canvas.fillStyle = isLive && isSound && !isGap ? colours.live : colours.quiet;
  canvas.globalAlpha = isSound ? 0.25 + 0.75 * age ** 1.6 : 0.6;
  const size = [isSound ? view.loudest(from, to) : 0, heightPx] as const;
  if (isGap) drawGapBar(canvas, xPx, heightPx);
  else if (isSound && view.isMuted(from, to)) drawMutedBar(canvas, xPx, size);
  else drawBar(canvas, xPx, size);
}

/**
 * Draws the last seconds of the take, newest at the right, fading with age. The part before the take is a line of
 * dots.
 */
export function drawLiveWave(canvas: CanvasRenderingContext2D, view: LiveWaveView): void {
  const { widthPx, heightPx, head, isLive, colours } = view;
  canvas.clearRect(0, 0, widthPx, heightPx);
  const last = Math.ceil(head / pointsPerBar) - 1;
  const first = last - Math.ceil(widthPx / stepPx) - 1;
  for (let bar = first; bar <= last && view.isMeasured; bar += 1) {
    drawPart(canvas, view, bar);
  }
  canvas.globalAlpha = 1;
  drawMarkers(canvas, view);
  if (!isLive) return;
  canvas.fillStyle = colours.live;
  canvas.fillRect(widthPx - cursorPx, 0, cursorPx, heightPx);
}

function drawMarkers(canvas: CanvasRenderingContext2D, view: LiveWaveView): void {
  canvas.fillStyle = view.colours.marker;
  for (const atMs of view.markersMs) {
    const xPx = liveX((atMs * peaksFormat.pointsPerSecond) / 1000, view);
    if (xPx < 0) continue;
    canvas.beginPath();
    canvas.arc(xPx, view.heightPx - 4, 3, 0, 2 * Math.PI);
    canvas.fill();
  }
}

/** Moves the displayed position smoothly towards the newest point. Jumps if it is more than a second behind. */
export function easeHead(shown: number, there: number, elapsedMs: number): number {
  const gap = there - shown;
  if (gap <= 0 || gap > peaksFormat.pointsPerSecond) return there;
  return shown + gap * (1 - Math.exp(-elapsedMs / 40));
}
