import type { AudioElement } from './audio-element.ts';
import { rates } from './playback-state.ts';

/** Speed and volume. The volume is applied when an element is attached, the speed after every load. */
export class Sound {
  #element: AudioElement | null = null;
  #rate = 1;
  #volume: number;
  /** Factor applied to the chosen volume, 0 to 1. */
  #fade = 1;
  #isHeld = false;

  /** @param volume 0 to 1 */
  constructor(volume: number) {
    this.#volume = volume;
  }

  /** The user's choice, independent of any fade. */
  get chosen(): { rate: number; volume: number; muted: boolean } {
    return { rate: this.#rate, volume: this.#volume, muted: this.#element?.muted ?? false };
  }

  attach(element: AudioElement): void {
    this.#element = element;
    this.#applyVolume();
  }

  setRate(rate: number): void {
    this.#rate = Math.min(Math.max(rate, rates[0]), rates[rates.length - 1] ?? 1);
    this.applyRate();
  }

  setVolume(volume: number): void {
    this.#volume = Math.min(Math.max(Math.round(volume * 100) / 100, 0), 1);
    this.#applyVolume();
    if (this.#volume > 0 && this.#element) this.#element.muted = false;
  }

  setFade(share: number): void {
    this.#fade = share;
    this.#applyVolume();
  }

  /** @param isHeld whether nothing is heard, because the element is not at its place yet */
  setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#applyVolume();
  }

  toggleMuted(): void {
    if (this.#element) this.#element.muted = !this.#element.muted;
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
    if (this.#element) this.#element.volume = this.#isHeld ? 0 : this.#volume * this.#fade;
  }
}
