import { clippingAmplitude } from './sound-levels.ts';

const clippingSamples = 3;

/** The level of the sound since the last reading; amplitudes 0…1. */
export interface Level {
  peak: number;
  rms: number;
  /** True if at least three consecutive samples of one channel were at full scale. */
  clipped: boolean;
}

/** Measures PCM as it arrives; a run of clipped samples continues across blocks. */
export class LevelMeter {
  #runs: number[] = [];
  #peak = 0;
  #sumOfSquares = 0;
  #samples = 0;
  #clipped = false;

  /**
   * Adds one block of PCM, one array of samples (−1…1) per channel. Clipping is looked for in what the device
   * delivered, because a mix of a clipped channel and a quiet one is distorted below full scale.
   */
  push(channels: readonly Float32Array[], delivered = channels): void {
    for (const samples of channels) this.#measure(samples);
    delivered.forEach((samples, channel) => {
      this.#runs[channel] = this.#countRun(samples, this.#runs[channel] ?? 0);
    });
  }

  /** Whether any sample arrived since the last call of `take`. Without one there is no level, not silence. */
  get hasSamples(): boolean {
    return this.#samples > 0;
  }

  /** The level since the last call. */
  take(): Level {
    const level = {
      peak: this.#peak,
      rms: this.#samples === 0 ? 0 : Math.sqrt(this.#sumOfSquares / this.#samples),
      clipped: this.#clipped,
    };
    this.#peak = 0;
    this.#sumOfSquares = 0;
    this.#samples = 0;
    this.#clipped = false;
    return level;
  }

  #measure(samples: Float32Array): void {
    let peak = this.#peak;
    let sum = 0;
    for (const sample of samples) {
      const amplitude = Math.abs(sample);
      if (amplitude > peak) peak = amplitude;
      sum += sample * sample;
    }
    this.#peak = peak;
    this.#sumOfSquares += sum;
    this.#samples += samples.length;
  }

  #countRun(samples: Float32Array, runBefore: number): number {
    let run = runBefore;
    for (const sample of samples) {
      run = sample >= clippingAmplitude || sample <= -clippingAmplitude ? run + 1 : 0;
      if (run >= clippingSamples) this.#clipped = true;
    }
    return run;
  }
}
