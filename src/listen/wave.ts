import { colourProbeStyle, themeQueries } from '#base/theme-colours.ts';
import { barsOf } from './bars.ts';

const barStepPx = 4;
const barWidthPx = 2.4;
const minBarPx = 2;
const markerSpacePx = 12;
const markerRadiusPx = 3;

/** What the waveform shows. Times are in milliseconds, loudness is 0 to 1. */
interface WaveScene {
  loudness: readonly number[];
  durationMs: number;
  positionMs: number;
  markers: readonly { atMs: number; colour: string }[];
  gaps: readonly { atMs: number; durationMs: number }[];
}

type Token = '--ink' | '--wave' | '--focus' | '--warn' | `--tag-${string}`;

/** Draws the waveform of a whole recording: the played part in ink, the rest in grey. */
export class Wave {
  readonly #canvas: HTMLCanvasElement;
  #scene: WaveScene = { loudness: [], durationMs: 0, positionMs: 0, markers: [], gaps: [] };
  #colours = new Map<Token, string>();
  #isDue = false;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    new ResizeObserver(() => this.#draw()).observe(canvas);
    for (const query of themeQueries)
      matchMedia(query).addEventListener('change', () => {
        this.#colours.clear();
        this.#draw();
      });
  }

  /** Changes a part of the scene, and draws it in the next frame. */
  show(change: Partial<WaveScene>): void {
    this.#scene = { ...this.#scene, ...change };
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#draw());
  }

  /** Resolves a token as the colour of the canvas. */
  #colour(token: Token): string {
    const known = this.#colours.get(token);
    if (known !== undefined) return known;
    Object.assign(this.#canvas.style, colourProbeStyle(token));
    const colour = getComputedStyle(this.#canvas).color;
    this.#colours.set(token, colour);
    return colour;
  }

  #draw(): void {
    this.#isDue = false;
    const { clientWidth: widthPx, clientHeight: heightPx } = this.#canvas;
    const context = this.#canvas.getContext('2d');
    if (!context || widthPx === 0) return;
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
    if (this.#canvas.width !== width || this.#canvas.height !== height)
      [this.#canvas.width, this.#canvas.height] = [width, height];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, widthPx, heightPx);
    const xOf = (ms: number) => (this.#scene.durationMs > 0 ? (ms / this.#scene.durationMs) * widthPx : 0);
    const reachPx = heightPx - (this.#scene.markers.length > 0 ? markerSpacePx : 0);
    this.#drawBars(context, { widthPx, reachPx, playedX: xOf(this.#scene.positionMs) });
    this.#drawGaps(context, xOf, reachPx);
    this.#drawMarkers(context, xOf, heightPx);
  }

  #drawBars(
    context: CanvasRenderingContext2D,
    { widthPx, reachPx, playedX }: { widthPx: number; reachPx: number; playedX: number },
  ): void {
    const count = Math.max(1, Math.floor(widthPx / barStepPx));
    const { loudness } = this.#scene;
    // Until the peaks are there, and for silence, a row of dots holds the place.
    const bars = loudness.length === 0 ? Array.from({ length: count }, () => 0) : barsOf(loudness, count);
    bars.forEach((value, index) => {
      const barPx = Math.max(minBarPx, value * reachPx);
      const x = (index * widthPx) / count;
      context.fillStyle = this.#colour(x + barWidthPx / 2 <= playedX ? '--ink' : '--wave');
      context.beginPath();
      context.rect(x, (reachPx - barPx) / 2, barWidthPx, barPx);
      context.fill();
    });
    context.fillStyle = this.#colour('--focus');
    context.fillRect(Math.min(Math.max(playedX - 1, 0), widthPx - 2), 0, 2, reachPx);
  }

  #drawGaps(context: CanvasRenderingContext2D, xOf: (ms: number) => number, reachPx: number): void {
    for (const { atMs, durationMs } of this.#scene.gaps) {
      const [fromX, toX] = [xOf(atMs), xOf(atMs + durationMs)];
      context.strokeStyle = this.#colour('--warn');
      context.lineWidth = 1.5;
      context.setLineDash([3, 3]);
      context.strokeRect(fromX, 2, Math.max(4, toX - fromX), reachPx - 4);
      context.setLineDash([]);
    }
  }

  #drawMarkers(context: CanvasRenderingContext2D, xOf: (ms: number) => number, heightPx: number): void {
    for (const { atMs, colour } of this.#scene.markers) {
      context.fillStyle = this.#colour(`--tag-${colour}`);
      context.beginPath();
      context.arc(xOf(atMs), heightPx - markerRadiusPx - 1, markerRadiusPx, 0, Math.PI * 2);
      context.fill();
    }
  }
}
