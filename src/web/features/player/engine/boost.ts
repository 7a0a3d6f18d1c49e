import { createStore, type Store } from '#base/store.ts';

/** How much louder than recorded it can be made: 1 is as recorded. */
export const boosts = [1, 1.5, 2, 2.5, 3] as const;

/** Peaks that the gain lifts beyond this are held down, so that nothing clips and nobody is startled. */
const limiter = { threshold: -6, knee: 0, ratio: 20, attack: 0.002, release: 0.2 };

/**
 * Makes an element louder than full volume. Only once that is asked for is the sound led through Web Audio:
 * until then the browser plays it in its own way, which costs less and survives more.
 */
export class Boost implements Store<number> {
  readonly #factor = createStore(1);
  readonly subscribe = this.#factor.subscribe;
  readonly getSnapshot = this.#factor.getSnapshot;
  #element: HTMLMediaElement | null = null;
  #context: AudioContext | null = null;
  #gain: GainNode | null = null;

  /** The element that is to be made louder; the same is given back. */
  attach(element: HTMLMediaElement): HTMLMediaElement {
    this.#element = element;
    // A context sleeps until a gesture, and again when the system took the sound away.
    element.addEventListener('play', () => void this.#context?.resume());
    return element;
  }

  set(factor: number): void {
    const next = Math.min(Math.max(factor, 1), 3);
    if (next > 1) this.#lead();
    if (this.#gain && this.#context) this.#gain.gain.setTargetAtTime(next, this.#context.currentTime, 0.02);
    this.#factor.set(next);
  }

  #lead(): void {
    if (this.#context || !this.#element) return;
    const context = new AudioContext({ latencyHint: 'playback' });
    this.#context = context;
    this.#gain = new GainNode(context);
    context
      .createMediaElementSource(this.#element)
      .connect(this.#gain)
      .connect(new DynamicsCompressorNode(context, limiter))
      .connect(context.destination);
    void context.resume();
  }
}
