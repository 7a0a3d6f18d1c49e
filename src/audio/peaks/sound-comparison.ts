import { second } from '#base/duration.ts';
import { pointsPerSecond } from './peaks-accumulator.ts';
import type { PointSource } from './peaks-pyramid.ts';

const bytesPerPoint = 2;
/** How far sound may be from its place, in points: codecs shift and smear it. */
const tolerancePoints = pointsPerSecond / 10;
/** How much quieter than the waveform sound may be: 20 dB. */
const minRatio = 0.1;
/** The swing from which a point of the waveform counts as sound (−28 dB). The steps of peaks are too coarse below. */
const minSwing = 10;
/** So many points without their sound are lost sound, or all points of a second that has fewer with sound. */
const maxLostPoints = 5;
/** Codecs may remove so much at the end, and what is missing is silence. */
const endPoints = pointsPerSecond / 5;
/** How much of the waveform is read at once. */
const readPoints = 60 * pointsPerSecond;

/** The swing between the lowest and highest sample of a point, which a constant offset does not change. */
function swingsOf(points: Int8Array): Uint8Array {
  const swings = new Uint8Array(points.length / bytesPerPoint);
  for (let index = 0; index < swings.length; index += 1)
    swings[index] = Math.max(0, (points[2 * index + 1] ?? 0) - (points[2 * index] ?? 0));
  return swings;
}

/** Where sound was lost: the start of the second, in ms after the start of the compared part. */
export interface LostSound {
  atMs: number;
}

/**
 * Compares sound with the waveform of what it was made from: in every second, what has sound in the waveform must have
 * sound within 100 ms of its place, at most 20 dB quieter. Holds a minute of points.
 */
export class SoundComparison {
  readonly #expected: PointSource;
  /** Measured swings from this point on. */
  #swings = new Uint8Array(0);
  #fromPoint = 0;
  #comparedSeconds = 0;
  #read: { fromPoint: number; swings: Uint8Array } = { fromPoint: 0, swings: new Uint8Array(0) };
  #lost: LostSound | null = null;

  /** @param expected the waveform of the compared part */
  constructor(expected: PointSource) {
    this.#expected = expected;
  }

  /** The first sound that was lost, as far as was compared; null if none was. */
  get lost(): LostSound | null {
    return this.#lost;
  }

  /** Adds the next points of the sound, as `PeaksAccumulator` makes them. Rejects if the waveform can't be read. */
  async push(points: Int8Array): Promise<void> {
    const [before, added] = [this.#swings, swingsOf(points)];
    this.#swings = new Uint8Array(before.length + added.length);
    this.#swings.set(before);
    this.#swings.set(added, before.length);
    const endPoint = this.#fromPoint + this.#swings.length;
    while ((this.#comparedSeconds + 1) * pointsPerSecond + tolerancePoints <= endPoint)
      await this.#compareSecond();
  }

  /** Compares the rest of the waveform. What has no sound by now has none. */
  async finish(): Promise<LostSound | null> {
    while (this.#lost === null && this.#comparedSeconds * pointsPerSecond < this.#comparedPoints)
      await this.#compareSecond();
    return this.#lost;
  }

  get #comparedPoints(): number {
    return Math.max(0, this.#expected.points - endPoints);
  }

  async #compareSecond(): Promise<void> {
    const fromPoint = this.#comparedSeconds * pointsPerSecond;
    const toPoint = Math.min(fromPoint + pointsPerSecond, this.#comparedPoints);
    this.#comparedSeconds += 1;
    if (this.#lost === null && fromPoint < toPoint && (await this.#isLost(fromPoint, toPoint)))
      this.#lost = { atMs: (fromPoint / pointsPerSecond) * second };
    const retainedFrom = Math.max(this.#fromPoint, fromPoint + pointsPerSecond - tolerancePoints);
    this.#swings = this.#swings.slice(retainedFrom - this.#fromPoint);
    this.#fromPoint = retainedFrom;
  }

  async #isLost(fromPoint: number, toPoint: number): Promise<boolean> {
    let [soundPoints, lostPoints] = [0, 0];
    const expected = await this.#expectedSwings(fromPoint, toPoint);
    for (const [index, swing] of expected.entries()) {
      if (swing < minSwing) continue;
      soundPoints += 1;
      if (this.#loudestNear(fromPoint + index) < swing * minRatio) lostPoints += 1;
    }
    return lostPoints > 0 && lostPoints >= Math.min(soundPoints, maxLostPoints);
  }

  #loudestNear(point: number): number {
    const at = point - this.#fromPoint;
    let loudest = 0;
    for (let index = Math.max(0, at - tolerancePoints); index <= at + tolerancePoints; index += 1)
      loudest = Math.max(loudest, this.#swings[index] ?? 0);
    return loudest;
  }

  async #expectedSwings(fromPoint: number, toPoint: number): Promise<Uint8Array> {
    const { fromPoint: readFrom, swings } = this.#read;
    if (fromPoint < readFrom || toPoint > readFrom + swings.length) {
      const endPoint = Math.min(this.#expected.points, fromPoint + readPoints);
      this.#read = { fromPoint, swings: swingsOf(await this.#expected.read(fromPoint, endPoint)) };
    }
    const { fromPoint: from, swings: all } = this.#read;
    return all.subarray(fromPoint - from, toPoint - from);
  }
}
