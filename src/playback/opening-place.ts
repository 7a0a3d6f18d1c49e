import { second } from '#base/duration.ts';
import type { AudioElement } from './audio-element.ts';

/** Per track, so that a file that is shorter than stated is not loaded again and again. */
const maxLoads = 2;
/** An element whose length differs by more has misjudged its file. */
const lengthToleranceMs = second;
/** An element that is further from a place has not arrived there. */
const placeToleranceMs = 0.2 * second;
/** An element that is nearer to a place is not moved to it, because a move may be heard. */
const moveToleranceMs = 50;
const haveCurrentData = 2;

/**
 * The place at which an element plays, from the moment it is chosen until it has been heard. An element that is told
 * to play while it loads starts at its beginning, and is moved only once it reports its metadata. WebKitGTK also takes
 * the last pages of an Ogg file for all of it at times, and limits every position to their length; or it reports the
 * place, and plays a page or more away from it. It is then moved once more, and then loaded again with all of its audio,
 * which makes it exact.
 */
export class OpeningPlace {
  readonly #nowMs: () => number;
  #loads = 0;
  #isMovedAgain = false;
  #atSeconds: number | null = null;
  #movedAtMs = 0;
  #isElsewhere = false;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Another track is loaded. */
  reset(): void {
    [this.#loads, this.#isMovedAgain, this.#atSeconds] = [0, false, null];
  }

  /** How much an element loads ahead: all of it once it has missed a place. */
  get preload(): 'metadata' | 'auto' {
    return this.#loads > 0 ? 'auto' : 'metadata';
  }

  /** Whether the element is not at its place yet. What it plays until then must not be heard. */
  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Whether the element has to be loaded again, because a place of its file is after the end that it reports. */
  misses({ duration }: AudioElement, atSeconds: number): boolean {
    return (atSeconds - duration) * second > lengthToleranceMs && this.#loadsAgain();
  }

  /** An element that is still loading will be moved to this place. */
  announce(atSeconds: number): void {
    this.#atSeconds = null;
    this.#isElsewhere = atSeconds > 0;
  }

  /** Takes over an element that knows its metadata and was moved before, while it was not the one that plays. */
  adopt(audio: AudioElement, atSeconds: number): void {
    if (Math.abs(audio.currentTime - atSeconds) * second > moveToleranceMs)
      return this.move(audio, atSeconds);
    [this.#isMovedAgain, this.#isElsewhere] = [false, false];
    [this.#atSeconds, this.#movedAtMs] = [atSeconds, this.#nowMs()];
  }

  /** Moves an element that knows its metadata. */
  move(audio: AudioElement, atSeconds: number): void {
    this.#isMovedAgain = false;
    this.#start(audio, atSeconds);
  }

  /**
   * Call this after every event of the element. If it is elsewhere, moves it again.
   * @param mayLoad whether the element may be loaded again
   * @returns the place, in seconds, at which the element has to be loaded again; null if it does not have to be
   */
  check(audio: AudioElement, mayLoad: boolean): number | null {
    const atSeconds = this.#atSeconds;
    if (atSeconds === null || audio.seeking || audio.readyState < haveCurrentData) return null;
    const offMs = (audio.currentTime - Math.min(atSeconds, audio.duration)) * second;
    const playedMs = audio.paused ? 0 : (this.#nowMs() - this.#movedAtMs) * audio.playbackRate;
    if (offMs < -placeToleranceMs || offMs > playedMs + placeToleranceMs)
      return this.#correct(audio, atSeconds, mayLoad);
    this.#isElsewhere = false;
    if (offMs > 0 && !audio.paused) this.#atSeconds = null;
    return null;
  }

  #correct(audio: AudioElement, atSeconds: number, mayLoad: boolean): number | null {
    this.#isElsewhere = true;
    if (!this.#isMovedAgain) {
      this.#isMovedAgain = true;
      this.#start(audio, atSeconds);
      return null;
    }
    if (mayLoad && this.#loadsAgain()) return atSeconds;
    // Another place is better than silence.
    [this.#atSeconds, this.#isElsewhere] = [null, false];
    return null;
  }

  #start(audio: AudioElement, atSeconds: number): void {
    [this.#atSeconds, this.#movedAtMs] = [atSeconds, this.#nowMs()];
    audio.currentTime = atSeconds;
  }

  #loadsAgain(): boolean {
    if (this.#loads >= maxLoads) return false;
    this.#loads += 1;
    return true;
  }
}
