import { createStore, type Store } from '#base/store.ts';

/** Available gain factors; 1 is the original loudness. */
export const boosts = [1, 1.5, 2, 2.5, 3] as const;

/** Compresses peaks that the gain lifts above the threshold, so that nothing clips or is painfully loud. */
const limiter = { threshold: -6, knee: 0, ratio: 20, attack: 0.002, release: 0.2 };

/** A channel that is heard alone, from 0, of a sound with several. */
interface OneChannelOfSound {
  channel: number;
  channels: number;
  /** Factor of its level. */
  gain: number;
}

const isSame = (one: OneChannelOfSound | null, other: OneChannelOfSound | null): boolean =>
  one?.channel === other?.channel && one?.channels === other?.channels && one?.gain === other?.gain;

/**
 * Amplifies an element beyond full volume. The audio is routed through Web Audio only after the first boost: the
 * native path is cheaper and more robust. The same is true for one channel that is heard alone.
 */
export class Boost implements Store<number> {
  readonly #factor = createStore(1);
  readonly subscribe = this.#factor.subscribe;
  readonly getSnapshot = this.#factor.getSnapshot;
  #element: HTMLMediaElement | null = null;
  #context: AudioContext | null = null;
  #gain: GainNode | null = null;
  #source: AudioNode | null = null;
  #alone: OneChannelOfSound | null = null;

  /** Sets the element to amplify, and returns it. */
  attach(element: HTMLMediaElement): HTMLMediaElement {
    this.#element = element;
    // A context is suspended until a user gesture, and again after the system has interrupted the audio.
    element.addEventListener('play', () => void this.#context?.resume());
    return element;
  }

  set(factor: number): void {
    const next = Math.min(Math.max(factor, 1), 3);
    if (next > 1) this.#routeThroughWebAudio();
    if (this.#gain && this.#context) this.#gain.gain.setTargetAtTime(next, this.#context.currentTime, 0.02);
    this.#factor.set(next);
  }

  /** Lets one channel be heard alone, on both sides; null for all. */
  hear(alone: OneChannelOfSound | null): void {
    if (isSame(alone, this.#alone)) return;
    this.#alone = alone;
    if (alone !== null) this.#routeThroughWebAudio();
    this.#connect();
  }

  #connect(): void {
    const [context, source, gain] = [this.#context, this.#source, this.#gain];
    if (context === null || source === null || gain === null) return;
    source.disconnect();
    if (this.#alone === null) {
      source.connect(gain);
      return;
    }
    const { channel, channels, gain: level } = this.#alone;
    const splitter = new ChannelSplitterNode(context, { numberOfOutputs: channels });
    const single = new GainNode(context, { gain: level });
    source.connect(splitter).connect(single, channel).connect(gain);
  }

  #routeThroughWebAudio(): void {
    if (this.#context || !this.#element) return;
    const context = new AudioContext({ latencyHint: 'playback' });
    this.#context = context;
    this.#gain = new GainNode(context);
    this.#source = context.createMediaElementSource(this.#element);
    this.#gain.connect(new DynamicsCompressorNode(context, limiter)).connect(context.destination);
    this.#connect();
    void context.resume();
  }
}
