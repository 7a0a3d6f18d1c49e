import type { Column, Columns } from './columns.ts';
import type { WaveColours } from './wave-colours.ts';

/** Everything one picture needs; places are CSS pixels from the left. */
export interface WaveScene {
  widthPx: number;
  heightPx: number;
  pixelRatio: number;
  columns: Columns;
  playheadX: number;
  gaps: readonly { fromX: number; toX: number }[];
  markerXs: readonly number[];
  /** The stretch that the detail shows, drawn behind an overview. */
  windowX: { fromX: number; toX: number } | null;
  /** Whether the playhead has a knob to take hold of. */
  hasKnob: boolean;
  colours: WaveColours;
}

const barWidthPx = 2.4;
const shortestBarPx = 2;
const marginPx = 5;
const markerRoomPx = 10;

/** Draws a waveform: played part in ink, rest in grey, gaps dashed, markers as points below, playhead on top. */
export function drawWaveform(context: CanvasRenderingContext2D, scene: WaveScene): void {
  const { widthPx, heightPx, pixelRatio, colours } = scene;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, widthPx, heightPx);
  if (scene.windowX) drawWindow(context, scene.windowX, scene);
  const path = scene.columns.look === 'bars' ? barsPath(scene) : outlinePath(scene);
  const splitX = Math.min(Math.max(scene.playheadX, 0), widthPx);
  fillPart(context, path, { fromX: 0, toX: splitX, heightPx, colour: colours.played });
  fillPart(context, path, { fromX: splitX, toX: widthPx, heightPx, colour: colours.rest });
  for (const gap of scene.gaps) drawGap(context, gap, scene);
  drawMarkers(context, scene);
  drawPlayhead(context, scene);
}

/** The room for the wave itself: above the markers where there are any. */
function waveRoom({ heightPx, markerXs, windowX }: WaveScene): { middleY: number; reachPx: number } {
  const below = markerXs.length > 0 && windowX === null ? markerRoomPx : 0;
  const room = heightPx - below;
  return { middleY: room / 2, reachPx: Math.max(1, room / 2 - marginPx) };
}

const loudness = ({ lowest, highest }: Column): number => Math.min(1, Math.max(-lowest, highest, 0));

function barsPath(scene: WaveScene): Path2D {
  const { middleY, reachPx } = waveRoom(scene);
  const path = new Path2D();
  for (const column of scene.columns.columns) {
    const barPx = Math.max(shortestBarPx, loudness(column) * reachPx * 2);
    path.roundRect(column.x + (scene.columns.stepPx - barWidthPx) / 2, middleY - barPx / 2, barWidthPx, barPx, barWidthPx / 2);
  }
  return path;
}

function outlinePath(scene: WaveScene): Path2D {
  const { middleY, reachPx } = waveRoom(scene);
  const { columns, stepPx } = scene.columns;
  const path = new Path2D();
  const thinnestPx = shortestBarPx / 2;
  columns.forEach(({ x, highest }, index) => {
    const y = middleY - Math.max(highest * reachPx, thinnestPx / 2);
    if (index === 0) path.moveTo(x + stepPx / 2, y);
    else path.lineTo(x + stepPx / 2, y);
  });
  for (const { x, lowest } of columns.toReversed()) path.lineTo(x + stepPx / 2, middleY + Math.max(-lowest * reachPx, thinnestPx / 2));
  path.closePath();
  return path;
}

function fillPart(context: CanvasRenderingContext2D, path: Path2D, part: { fromX: number; toX: number; heightPx: number; colour: string }): void {
  if (part.toX <= part.fromX) return;
  context.save();
  context.beginPath();
  context.rect(part.fromX, 0, part.toX - part.fromX, part.heightPx);
  context.clip();
  context.fillStyle = part.colour;
  context.fill(path);
  context.restore();
}

function drawGap(context: CanvasRenderingContext2D, { fromX, toX }: { fromX: number; toX: number }, scene: WaveScene): void {
  if (toX < 0 || fromX > scene.widthPx) return;
  const widthPx = toX - fromX;
  context.save();
  context.strokeStyle = scene.colours.gap;
  context.lineWidth = 1.5;
  context.setLineDash([3, 3]);
  context.beginPath();
  if (widthPx > barWidthPx * 2) {
    context.clearRect(fromX, 0, widthPx, scene.heightPx);
    context.roundRect(fromX + 1, 4, widthPx - 2, scene.heightPx - 8, 4);
  } else {
    const x = fromX + widthPx / 2;
    context.clearRect(x - barWidthPx, 0, barWidthPx * 2, scene.heightPx);
    context.moveTo(x, 4);
    context.lineTo(x, scene.heightPx - 4);
  }
  context.stroke();
  context.restore();
}

function drawMarkers(context: CanvasRenderingContext2D, { markerXs, heightPx, widthPx, windowX, colours }: WaveScene): void {
  context.fillStyle = colours.here;
  const radiusPx = windowX === null ? 3 : 1.5;
  context.beginPath();
  for (const x of markerXs) {
    if (x < -radiusPx || x > widthPx + radiusPx) continue;
    context.moveTo(x + radiusPx, heightPx - radiusPx - 1);
    context.arc(x, heightPx - radiusPx - 1, radiusPx, 0, Math.PI * 2);
  }
  context.fill();
}

function drawPlayhead(context: CanvasRenderingContext2D, { playheadX, widthPx, heightPx, hasKnob, colours }: WaveScene): void {
  if (playheadX < -4 || playheadX > widthPx + 4) return;
  const x = Math.min(Math.max(playheadX, 1), widthPx - 1);
  context.fillStyle = colours.here;
  context.fillRect(x - 1, 0, 2, heightPx);
  if (!hasKnob) return;
  context.beginPath();
  context.arc(Math.min(Math.max(x, 4), widthPx - 4), 4, 4, 0, Math.PI * 2);
  context.fill();
}

function drawWindow(context: CanvasRenderingContext2D, { fromX, toX }: { fromX: number; toX: number }, { widthPx, heightPx, colours }: WaveScene): void {
  if (toX - fromX >= widthPx - 1) return;
  context.fillStyle = colours.window;
  context.beginPath();
  context.roundRect(fromX, 0, Math.max(toX - fromX, 6), heightPx, 6);
  context.fill();
  context.strokeStyle = colours.here;
  context.lineWidth = 1;
  context.stroke();
}
