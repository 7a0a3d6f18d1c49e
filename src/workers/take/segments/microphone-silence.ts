import { second } from '#base/duration.ts';

/**
 * 16 bits store a smaller sample as 0. The processing of browsers does not end with zeros where its input does: what it
 * gives falls below this within 0.2 s, and to zero within three seconds.
 */
const minSample = 2 ** -16;
/** A shorter run of zeros cannot be told from quiet sound. */
const minRunMs = 20;

/**
 * A device that is being opened delivers zeros first. If it still does after this time it is muted, and its
 * silence is recorded.
 */
export const maxWarmUpMs = second;

/**
 * Adds up how long a microphone delivered digital silence: one that is muted, or a noise gate between words. Its silence
 * is sound that arrived in time, so it is no gap.
 */
export class MicrophoneSilence {
  #endedMs = 0;
  #runFrames = 0;
  /** Null until there was sound to measure. */
  #sampleRateHz: number | null = null;
  #isWarmingUp: boolean;

  /** @param isWarmingUp whether the device is being opened */
  constructor(isWarmingUp: boolean) {
    this.#isWarmingUp = isWarmingUp;
  }

  /** The silence so far in whole milliseconds; null if nothing was measured. */
  get totalMs(): number | null {
    return this.#sampleRateHz === null ? null : Math.round(this.#endedMs + this.#runMs);
  }

  /** Adds sound that is recorded. */
  push(channels: readonly Float32Array[], sampleRateHz: number): void {
    if (sampleRateHz !== this.#sampleRateHz) this.restart();
    this.#sampleRateHz = sampleRateHz;
    const frames = channels[0]?.length ?? 0;
    for (let frame = 0; frame < frames; frame += 1) {
      if (channels.every((samples) => Math.abs(samples[frame] ?? 0) < minSample)) this.#runFrames += 1;
      else {
        if (this.#runFrames > 0) this.restart();
        this.#isWarmingUp = false;
      }
    }
  }

  /** Ends a run of zeros: the next sound does not follow it. */
  restart(): void {
    this.#endedMs += this.#runMs;
    this.#runFrames = 0;
  }

  get #runMs(): number {
    const ms = (this.#runFrames * 1000) / (this.#sampleRateHz ?? Infinity);
    return ms >= (this.#isWarmingUp ? maxWarmUpMs : minRunMs) ? ms : 0;
  }
}
