import { labelColours } from '#base/labels/label.ts';
import type { MarkerColour } from '#web/features/player/playable-recording.ts';
import type { Column, WaveColumns } from './columns.ts';
import type { WaveColours } from './wave-colours.ts';

/** The input of one drawing; positions are CSS pixels from the left. */
export interface WaveScene {
  widthPx: number;
  heightPx: number;
  pixelRatio: number;
  columns: WaveColumns;
  playheadX: number;
  gaps: readonly { fromX: number; toX: number }[];
  /** Where the recording was paused or stopped. */
  breaksX: readonly number[];
  /** The passages that listeners don't hear. */
  muted: readonly { fromX: number; toX: number }[];
  markers: readonly { x: number; colour: MarkerColour }[];
  /** The range that the detail view shows, drawn behind the overview. */
  windowX: { fromX: number; toX: number } | null;
  /** The selection. */
  selectionX: { fromX: number; toX: number } | null;
  /** Whether the playhead has a knob to drag. */
  hasKnob: boolean;
  colours: WaveColours;
}

/** How much of its colour a peak has beside the loudness in it. */
const peakAlpha = 0.4;
const barWidthPx = 2.4;
const minBarPx = 2;
const marginPx = 5;
const markerSpacePx = 10;
const narrowestGapPx = 5;
const hatchStepPx = 7;
const breakDashPx = [4, 3];

/**
 * Draws a waveform: played part in ink, rest in grey, loudness darker than peaks, gaps hatched, passages that listeners don't hear
 * hatched over their wave, breaks as dashed lines, markers as points below, playhead on top.
 */
export function drawWaveform(context: CanvasRenderingContext2D, scene: WaveScene): void {
  const { widthPx, heightPx, pixelRatio, colours } = scene;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, widthPx, heightPx);
  if (scene.windowX) drawWindow(context, scene.windowX, scene);
  if (scene.selectionX) drawSelection(context, scene.selectionX, scene);
  drawWave(context, scene);
  for (const passage of scene.muted) drawHatching(context, passage, { ...scene, colour: colours.label });
  for (const gap of scene.gaps) drawHatching(context, gap, { ...scene, colour: colours.gap, isEmpty: true });
  drawBreaks(context, scene);
  drawMarkers(context, scene);
  drawPlayhead(context, scene);
}

/** The space of the wave, which is above the markers if there are any. */
function waveSpace({ heightPx, markers, windowX }: WaveScene): { middleY: number; reachPx: number } {
  const below = markers.length > 0 && windowX === null ? markerSpacePx : 0;
  const waveHeightPx = heightPx - below;
  return { middleY: waveHeightPx / 2, reachPx: Math.max(1, waveHeightPx / 2 - marginPx) };
}

const peakOf = ({ lowest, highest }: Column): number => Math.min(1, Math.max(-lowest, highest, 0));

/** Bars are peaks in a lighter shade, with their loudness in them; an outline is one shape. */
function drawWave(context: CanvasRenderingContext2D, scene: WaveScene): void {
  const { widthPx, heightPx, colours } = scene;
  const splitX = Math.min(Math.max(scene.playheadX, 0), widthPx);
  const fill = (path: Path2D) => {
    fillPart(context, path, { fromX: 0, toX: splitX, heightPx, colour: colours.played });
    fillPart(context, path, { fromX: splitX, toX: widthPx, heightPx, colour: colours.rest });
  };
  if (scene.columns.style === 'outline') {
    fill(outlinePath(scene));
    return;
  }
  context.globalAlpha = peakAlpha;
  fill(barsPath(scene, peakOf));
  context.globalAlpha = 1;
  fill(barsPath(scene, (column) => column.loudness ?? peakOf(column)));
}

function barsPath(scene: WaveScene, heightOf: (column: Column) => number): Path2D {
  const { middleY, reachPx } = waveSpace(scene);
  const path = new Path2D();
  for (const column of scene.columns.columns) {
    const barPx = Math.max(minBarPx, heightOf(column) * reachPx * 2);
    path.roundRect(
      column.x + (scene.columns.stepPx - barWidthPx) / 2,
      middleY - barPx / 2,
      barWidthPx,
      barPx,
      barWidthPx / 2,
    );
  }
  return path;
}

function outlinePath(scene: WaveScene): Path2D {
  const { middleY, reachPx } = waveSpace(scene);
  const { columns, stepPx } = scene.columns;
  const path = new Path2D();
  const thinnestPx = minBarPx / 2;
  columns.forEach(({ x, highest }, index) => {
    const y = middleY - Math.max(highest * reachPx, thinnestPx / 2);
    if (index === 0) path.moveTo(x + stepPx / 2, y);
    else path.lineTo(x + stepPx / 2, y);
  });
  for (const { x, lowest } of columns.toReversed())
    path.lineTo(x + stepPx / 2, middleY + Math.max(-lowest * reachPx, thinnestPx / 2));
  path.closePath();
  return path;
}

function fillPart(
  context: CanvasRenderingContext2D,
  path: Path2D,
  part: { fromX: number; toX: number; heightPx: number; colour: string },
): void {
  if (part.toX <= part.fromX) return;
  context.save();
  context.beginPath();
  context.rect(part.fromX, 0, part.toX - part.fromX, part.heightPx);
  context.clip();
  context.fillStyle = part.colour;
  context.fill(path);
  context.restore();
}

/** Hatches a part. `isEmpty`: nothing was recorded there, so that the wave below is removed. */
function drawHatching(
  context: CanvasRenderingContext2D,
  part: { fromX: number; toX: number },
  scene: WaveScene & { colour: string; isEmpty?: boolean },
): void {
  if (part.toX < 0 || part.fromX > scene.widthPx) return;
  // Even the shortest part must be visible. A long one is hatched only within the canvas.
  const middleX = (part.fromX + part.toX) / 2;
  const fromX = Math.max(Math.min(part.fromX, middleX - narrowestGapPx / 2), -hatchStepPx);
  const toX = Math.min(Math.max(part.toX, middleX + narrowestGapPx / 2), scene.widthPx + hatchStepPx);
  context.save();
  if (scene.isEmpty === true) context.clearRect(fromX, 0, toX - fromX, scene.heightPx);
  context.beginPath();
  context.roundRect(fromX + 1, 4, toX - fromX - 2, scene.heightPx - 8, 4);
  context.strokeStyle = scene.colour;
  context.lineWidth = 1.5;
  context.stroke();
  context.clip();
  context.beginPath();
  // Aligned to the start of the part, so that the hatching does not shimmer while scrolling.
  const offsetPx = (part.fromX - fromX) % hatchStepPx;
  for (let x = fromX + offsetPx - scene.heightPx - hatchStepPx; x < toX; x += hatchStepPx) {
    context.moveTo(x, scene.heightPx);
    context.lineTo(x + scene.heightPx, 0);
  }
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

/** A break has no width: a dashed line in a narrow clearing. */
function drawBreaks(
  context: CanvasRenderingContext2D,
  { breaksX, widthPx, heightPx, colours }: WaveScene,
): void {
  context.save();
  context.strokeStyle = colours.label;
  context.lineWidth = 1.5;
  context.setLineDash(breakDashPx);
  for (const x of breaksX) {
    if (x < -narrowestGapPx || x > widthPx + narrowestGapPx) continue;
    context.clearRect(x - narrowestGapPx / 2, 0, narrowestGapPx, heightPx);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, heightPx);
    context.stroke();
  }
  context.restore();
}

function drawMarkers(
  context: CanvasRenderingContext2D,
  { markers, heightPx, widthPx, windowX, colours }: WaveScene,
): void {
  const radiusPx = windowX === null ? 3 : 1.5;
  const seen = markers.filter(({ x }) => x >= -radiusPx && x <= widthPx + radiusPx);
  // One path per colour: ten thousand markers need only five fills.
  for (const drawn of labelColours) {
    context.beginPath();
    for (const { x, colour } of seen) {
      if (colour !== drawn) continue;
      context.moveTo(x + radiusPx, heightPx - radiusPx - 1);
      context.arc(x, heightPx - radiusPx - 1, radiusPx, 0, Math.PI * 2);
    }
    context.fillStyle = colours.markers[drawn];
    context.fill();
  }
}

function drawPlayhead(
  context: CanvasRenderingContext2D,
  { playheadX, widthPx, heightPx, hasKnob, colours }: WaveScene,
): void {
  if (playheadX < -4 || playheadX > widthPx + 4) return;
  const x = Math.min(Math.max(playheadX, 1), widthPx - 1);
  context.fillStyle = colours.here;
  context.fillRect(x - 1, 0, 2, heightPx);
  if (!hasKnob) return;
  context.beginPath();
  context.arc(Math.min(Math.max(x, 4), widthPx - 4), 4, 4, 0, Math.PI * 2);
  context.fill();
}

function drawWindow(
  context: CanvasRenderingContext2D,
  { fromX, toX }: { fromX: number; toX: number },
  { widthPx, heightPx, colours }: WaveScene,
): void {
  if (toX - fromX >= widthPx - 1) return;
  context.fillStyle = colours.window;
  context.beginPath();
  context.roundRect(fromX, 0, Math.max(toX - fromX, 6), heightPx, 6);
  context.fill();
  context.strokeStyle = colours.here;
  context.lineWidth = 1;
  context.stroke();
}

/** A tint behind the wave, and a handle at each end. */
function drawSelection(
  context: CanvasRenderingContext2D,
  { fromX, toX }: { fromX: number; toX: number },
  { widthPx, heightPx, hasKnob, colours }: WaveScene,
): void {
  if (toX < 0 || fromX > widthPx) return;
  const [left, right] = [Math.max(fromX, -2), Math.min(toX, widthPx + 2)];
  context.fillStyle = colours.window;
  context.fillRect(left, 0, Math.max(right - left, 2), heightPx);
  if (!hasKnob) return;
  context.fillStyle = colours.here;
  for (const x of [fromX, toX]) {
    context.fillRect(x - 0.75, 0, 1.5, heightPx);
    context.beginPath();
    context.roundRect(x - 2.5, heightPx / 2 - 11, 5, 22, 2.5);
    context.fill();
  }
}
