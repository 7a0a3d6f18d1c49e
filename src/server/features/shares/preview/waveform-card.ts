import { Drawing, roundedBox, type Colour } from './drawing.ts';
import { encodePng } from './png.ts';

/** The size that messengers and social networks crop least. */
export const cardSize = { width: 1200, height: 630 } as const;

const paper: Colour = [252, 250, 247];
const ink: Colour = [27, 30, 38];
const white: Colour = [251, 249, 245];
const red: Colour = [229, 53, 47];

const marginPx = 96;
const barStepPx = 14;
const barWidthPx = 8;
const waveMiddleY = 280;
const tallestBarPx = 340;
const signPx = 72;

type Point = readonly [x: number, y: number];

/** Earshot’s sign, in the proportions of `icon.svg`, whose sides are 64. */
function paintSign(card: Drawing, fromX: number, fromY: number): void {
  const scale = signPx / 64;
  const box = ([left, top]: Point, [right, bottom]: Point) => ({
    fromX: fromX + left * scale,
    fromY: fromY + top * scale,
    toX: fromX + right * scale,
    toY: fromY + bottom * scale,
  });
  const paint = (bounds: ReturnType<typeof box>, radius: number, colour: Colour) => {
    card.paint(roundedBox(bounds, radius * scale), bounds, colour);
  };
  paint(box([0, 0], [64, 64]), 15, ink);
  paint(box([10.5, 25.5], [15.5, 38.5]), 2.5, white);
  paint(box([20.5, 18.5], [25.5, 45.5]), 2.5, white);
  paint(box([30.5, 12.5], [35.5, 51.5]), 2.5, white);
  paint(box([37.5, 22.5], [56.5, 41.5]), 9.5, red);
}

/**
 * Draws the picture that previews of a link show, as PNG: the waveform of the shared part, and no text, because
 * pictures outlive the link.
 * @param points min, max, min, max… of any number of points; none for silence
 */
export function drawWaveformCard(points: Int8Array): Buffer {
  const card = new Drawing(cardSize, paper);
  const count = Math.floor((cardSize.width - 2 * marginPx + barStepPx - barWidthPx) / barStepPx);
  const pointCount = Math.floor(points.length / 2);
  for (let index = 0; index < count; index += 1) {
    const from = Math.floor((index * pointCount) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * pointCount) / count));
    let loudest = 0;
    for (let at = from * 2; at < Math.min(to, pointCount) * 2; at += 1)
      loudest = Math.max(loudest, Math.abs(points[at] ?? 0));
    const reachPx = Math.max(barWidthPx, (Math.min(127, loudest) / 127) * tallestBarPx) / 2;
    const fromX = marginPx + index * barStepPx;
    const box = { fromX, toX: fromX + barWidthPx, fromY: waveMiddleY - reachPx, toY: waveMiddleY + reachPx };
    card.paint(roundedBox(box, barWidthPx / 2), box, ink);
  }
  paintSign(card, marginPx, cardSize.height - marginPx - signPx / 2);
  return encodePng(card.pixels, cardSize);
}
