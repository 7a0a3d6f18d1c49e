/** A mix this much weaker than its loudest channel is cancelled: 20 dB in power. Quieter channels are not looked at. */
const cancelledRatio = 100;
/** A channel of which less than this is left in the sum of all is cancelled by another one. */
const minHeard = 0.2;
/** Another channel replaces a retained one if it is this much louder: 6 dB in power. */
const louderRatio = 4;
/** How many samples the powers are remembered for: half a second at 48 kHz. */
const memoryFrames = 24_000;

function productOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/**
 * Converts PCM to the wanted number of channels without losing any channel. One channel is copied to all. More
 * channels than wanted are microphones of unknown places: their average is put into every channel. Where some cancel
 * each other out, as the two halves of a balanced signal do, the quieter ones are left out of the average. If it is
 * still silent beside the loudest channel, that channel takes its place.
 */
export class ChannelMixer {
  readonly #wanted: number;
  /** The products of each received channel with itself (its power) and with the ones before it, decaying. */
  #products: number[][] = [];
  /** The channels in the average. */
  #retained: ReadonlySet<number> = new Set();
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
    const isFirst = this.#products.length !== received.length;
    if (isFirst) this.#reset(received.length);
    this.#measure(received, frames);
    this.#retained = this.#choose();
    const gains = received.map((_, index) => (this.#retained.has(index) ? 1 / this.#retained.size : 0));
    const before = isFirst ? gains : this.#gains;
    this.#gains = gains;
    const isSteady = gains.every((gain, index) => gain === before[index]);
    return isSteady ? mixed(received, gains, frames) : faded(received, { before, after: gains, frames });
  }

  #reset(channels: number): void {
    this.#products = Array.from({ length: channels }, () => Array.from({ length: channels }, () => 0));
    this.#retained = new Set(this.#products.keys());
  }

  #measure(received: readonly Float32Array[], frames: number): void {
    const remembered = Math.exp(-frames / memoryFrames);
    this.#products = received.map((samples, one) =>
      received.map((others, other) =>
        other > one ? 0 : (this.#products[one]?.[other] ?? 0) * remembered + productOf(samples, others),
      ),
    );
  }

  #product(one: number, other: number): number {
    return this.#products[Math.max(one, other)]?.[Math.min(one, other)] ?? 0;
  }

  #power(channel: number): number {
    return this.#product(channel, channel);
  }

  /** The sum of the products of a channel with others. */
  #sum(channel: number, others: ReadonlySet<number>): number {
    return [...others].reduce((sum, other) => sum + this.#product(channel, other), 0);
  }

  /** The channels whose average loses none that is loud. */
  #choose(): ReadonlySet<number> {
    const rank = (channel: number): number =>
      this.#power(channel) * (this.#retained.has(channel) ? louderRatio : 1);
    const byLoudness = [...this.#products.keys()].toSorted((one, other) => rank(other) - rank(one));
    const loudestPower = Math.max(...byLoudness.map((channel) => this.#power(channel)));
    const retained = new Set(byLoudness);
    for (const channel of byLoudness)
      while (
        retained.has(channel) &&
        this.#power(channel) * cancelledRatio > loudestPower &&
        this.#sum(channel, retained) < this.#power(channel) * minHeard
      )
        retained.delete(this.#oppositeChannel(channel, retained));
    const averagePower =
      [...retained].reduce((sum, channel) => sum + this.#sum(channel, retained), 0) / retained.size ** 2;
    const [loudest = 0] = byLoudness;
    return loudestPower > averagePower * cancelledRatio ? new Set([loudest]) : retained;
  }

  #oppositeChannel(channel: number, retained: ReadonlySet<number>): number {
    const others = [...retained].filter((other) => other !== channel);
    return others.reduce(
      (found, other) => (this.#product(channel, other) < this.#product(channel, found) ? other : found),
      others[0] ?? channel,
    );
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
