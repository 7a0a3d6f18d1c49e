import type { AudioElement } from './audio-element.ts';
import { rates } from './playback-state.ts';

/** Speed and volume of the element that plays. The speed is applied again after every load. */
export class Sound {
  #element: AudioElement | null = null;
  #rate = 1;
  #volume: number;
  /** Factor applied to the chosen volume, 0 to 1. */
  #fade = 1;
  #isMuted = false;
  #isHeld = false;

  /** @param volume 0 to 1 */
  constructor(volume: number) {
    this.#volume = volume;
  }

  /** The user's choice, independent of any fade. */
  get chosen(): { rate: number; volume: number; muted: boolean } {
    return { rate: this.#rate, volume: this.#volume, muted: this.#isMuted };
  }

  /** The element that plays from now on. */
  attach(element: AudioElement): void {
    this.#element = element;
    this.#applyVolume();
    this.#applyMuted();
    this.applyRate();
  }

  setRate(rate: number): void {
    this.#rate = Math.min(Math.max(rate, rates[0]), rates[rates.length - 1] ?? 1);
    this.applyRate();
  }

  setVolume(volume: number): void {
    this.#volume = Math.min(Math.max(Math.round(volume * 100) / 100, 0), 1);
    this.#applyVolume();
    if (this.#volume > 0) this.#isMuted = false;
    this.#applyMuted();
  }

  setFade(share: number): void {
    this.#fade = share;
    this.#applyVolume();
  }

  /** @param isHeld whether nothing is heard, because the element is not at its place yet */
  setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#applyMuted();
  }

  toggleMuted(): void {
    this.#isMuted = !this.#isMuted;
    this.#applyMuted();
  }

  /** Loading resets an element's playback rate. */
  applyRate(): void {
    const element = this.#element;
    if (!element) return;
    element.preservesPitch = true;
    element.defaultPlaybackRate = this.#rate;
    element.playbackRate = this.#rate;
  }

  #applyVolume(): void {
    if (this.#element) this.#element.volume = this.#volume * this.#fade;
  }

  /** iOS ignores `volume`, so what must not be heard is muted. */
  #applyMuted(): void {
    if (this.#element) this.#element.muted = this.#isMuted || this.#isHeld;
  }
}
