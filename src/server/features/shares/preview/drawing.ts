export type Colour = readonly [red: number, green: number, blue: number];

/** How far a point is outside of a shape, in pixels; negative inside. */
export type Shape = (x: number, y: number) => number;

interface Box {
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
}

/** A rectangle with round corners. A radius of half the width makes a bar with round ends. */
export function roundedBox({ fromX, fromY, toX, toY }: Box, radius: number): Shape {
  const [middleX, middleY] = [(fromX + toX) / 2, (fromY + toY) / 2];
  const [reachX, reachY] = [(toX - fromX) / 2 - radius, (toY - fromY) / 2 - radius];
  return (x, y) => {
    const [outX, outY] = [Math.abs(x - middleX) - reachX, Math.abs(y - middleY) - reachY];
    return Math.hypot(Math.max(outX, 0), Math.max(outY, 0)) + Math.min(Math.max(outX, outY), 0) - radius;
  };
}

/** A picture of one size that shapes are painted on, red, green and blue of each pixel. */
export class Drawing {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(size: { width: number; height: number }, background: Colour) {
    this.width = size.width;
    this.height = size.height;
    this.pixels = new Uint8Array(size.width * size.height * 3);
    for (let index = 0; index < this.pixels.length; index += 3) this.pixels.set(background, index);
  }

  /** Paints a shape inside a box, with smooth edges. */
  paint(shape: Shape, { fromX, fromY, toX, toY }: Box, colour: Colour): void {
    for (let y = Math.max(0, Math.floor(fromY) - 1); y < Math.min(this.height, Math.ceil(toY) + 1); y += 1)
      for (let x = Math.max(0, Math.floor(fromX) - 1); x < Math.min(this.width, Math.ceil(toX) + 1); x += 1)
        this.#blend(x, y, { colour, coverage: Math.min(1, Math.max(0, 0.5 - shape(x + 0.5, y + 0.5))) });
  }

  #blend(x: number, y: number, { colour, coverage }: { colour: Colour; coverage: number }): void {
    if (coverage === 0) return;
    const start = (y * this.width + x) * 3;
    colour.forEach((value, index) => {
      const below = this.pixels[start + index] ?? 0;
      this.pixels[start + index] = Math.round(below + (value - below) * coverage);
    });
  }
}
