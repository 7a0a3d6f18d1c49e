import { second } from '#base/duration.ts';
import type { AudioElement } from './audio-element.ts';

/** Per track, so that a file that is shorter than stated is not loaded again and again. */
const mostTries = 2;
/** An element whose length or position differs by more has misjudged its file. */
const toleranceMs = second;

/**
 * The place at which an element starts. WebKitGTK may take the last pages of an Ogg file for all of it, and limits
 * every position to their length, or starts long before the place. Another try is right.
 */
export class OpeningPlace {
  #lengthTries = 0;
  #placeTries = 0;
  #atSeconds: number | null = null;

  /** Another track is loaded. */
  reset(): void {
    [this.#lengthTries, this.#placeTries, this.#atSeconds] = [0, 0, null];
  }

  /** Whether the element has to be loaded again, because a place of its file is after the end that it reports. */
  misses({ duration }: AudioElement, atSeconds: number): boolean {
    const isMissed = (atSeconds - duration) * second > toleranceMs && this.#lengthTries < mostTries;
    if (isMissed) this.#lengthTries += 1;
    return isMissed;
  }

  /** Moves an element that was just loaded. */
  start(audio: AudioElement, atSeconds: number): void {
    this.#atSeconds = atSeconds;
    audio.currentTime = atSeconds;
  }

  /** The element is moved elsewhere. */
  leave(): void {
    this.#atSeconds = null;
  }

  /** Call this when the element has moved. Moves it again if it is elsewhere and does not play yet. */
  check(audio: AudioElement): void {
    const atSeconds = this.#atSeconds;
    this.#atSeconds = null;
    if (atSeconds === null || !audio.paused || this.#placeTries >= mostTries) return;
    if (Math.abs(audio.currentTime - Math.min(atSeconds, audio.duration)) * second <= toleranceMs) return;
    this.#placeTries += 1;
    this.start(audio, atSeconds);
  }
}
