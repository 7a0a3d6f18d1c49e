/** A mix this much weaker than its loudest channel is cancelled: 20 dB in power. */
const cancelledRatio = 100;
/** Another channel replaces the chosen one if it is this much louder: 6 dB in power. */
const louderRatio = 4;
/** How many samples the powers are remembered for: half a second at 48 kHz. */
const memoryFrames = 24_000;

const powerOf = (samples: Float32Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum;
};

/**
 * Converts PCM to the wanted number of channels without losing any channel. One channel is copied to all. More
 * channels than wanted are microphones of unknown places: their average is put into every channel. Where they cancel
 * each other out, as the two halves of a balanced signal do, the loudest channel takes the place of the average.
 */
export class ChannelMixer {
  readonly #wanted: number;
  /** The power of each received channel and of their average, decaying. */
  #powers: number[] = [];
  #averagePower = 0;
  /** The channel that replaces the average; null if none does. */
  #chosen: number | null = null;
  /** The part that each received channel had at the end of the last block. */
  #gains: number[] = [];

  /** @param wanted the number of channels of the result, at least one */
  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Converts one block of samples (−1…1). Blocks must come in order. */
  mix(received: readonly Float32Array[]): readonly Float32Array[] {
    const [first] = received;
    if (first === undefined || received.length === this.#wanted) return received;
    const mono = received.length === 1 ? first : this.#mono(received, first.length);
    return Array.from({ length: this.#wanted }, () => mono);
  }

  #mono(received: readonly Float32Array[], frames: number): Float32Array {
    const isFirst = this.#powers.length !== received.length;
    if (isFirst) this.#reset(received.length);
    const average = mixed(
      received,
      received.map(() => 1 / received.length),
      frames,
    );
    this.#measure(received, average);
    this.#choose();
    const gains = received.map((_, index) => {
      if (this.#chosen === null) return 1 / received.length;
      return index === this.#chosen ? 1 : 0;
    });
    const before = isFirst ? gains : this.#gains;
    this.#gains = gains;
    const isSteady = gains.every((gain, index) => gain === before[index]);
    if (isSteady && this.#chosen === null) return average;
    return isSteady ? mixed(received, gains, frames) : faded(received, { before, after: gains, frames });
  }

  #reset(channels: number): void {
    this.#powers = Array.from({ length: channels }, () => 0);
    this.#averagePower = 0;
    this.#chosen = null;
  }

  #measure(received: readonly Float32Array[], average: Float32Array): void {
    const remembered = Math.exp(-average.length / memoryFrames);
    this.#powers = received.map(
      (samples, index) => (this.#powers[index] ?? 0) * remembered + powerOf(samples),
    );
    this.#averagePower = this.#averagePower * remembered + powerOf(average);
  }

  #choose(): void {
    const loudestPower = Math.max(...this.#powers);
    if (loudestPower <= this.#averagePower * cancelledRatio) {
      this.#chosen = null;
      return;
    }
    const chosenPower = this.#chosen === null ? 0 : (this.#powers[this.#chosen] ?? 0);
    if (this.#chosen === null || loudestPower > chosenPower * louderRatio)
      this.#chosen = this.#powers.indexOf(loudestPower);
  }
}

function mixed(received: readonly Float32Array[], gains: readonly number[], frames: number): Float32Array {
  const result = new Float32Array(frames);
  received.forEach((samples, channel) => {
    const gain = gains[channel] ?? 0;
    if (gain === 0) return;
    for (let index = 0; index < frames; index++)
      result[index] = (result[index] ?? 0) + (samples[index] ?? 0) * gain;
  });
  return result;
}

/** A mix whose gains change evenly over the block, so that the change is not heard as a click. */
function faded(
  received: readonly Float32Array[],
  { before, after, frames }: { before: readonly number[]; after: readonly number[]; frames: number },
): Float32Array {
  const result = new Float32Array(frames);
  received.forEach((samples, channel) => {
    const [from, to] = [before[channel] ?? 0, after[channel] ?? 0];
    for (let index = 0; index < frames; index++)
      result[index] =
        (result[index] ?? 0) + (samples[index] ?? 0) * (from + ((to - from) * (index + 1)) / frames);
  });
  return result;
}
