import { join } from 'node:path';
import type { ChunkCutter } from '#audio/speech/chunk-cutter.ts';
import { speechRateHz } from '#audio/speech/point-levels.ts';
import { detectorWindow } from './first-sample.ts';
import type { Sherpa, SherpaVad } from './sherpa.ts';

const minSpeechSeconds = 0.1;
/** How long before it is reported open speech started, as the detector itself counts it. */
const reportedAfter = minSpeechSeconds * speechRateHz + 2 * detectorWindow;
/** The detector counts samples in 32 bits. */
const resetAfter = 3600 * speechRateHz;

/** Finds speech with Silero VAD and tells a cutter. */
export class SpeechDetector {
  readonly #vad: SherpaVad;
  readonly #cutter: ChunkCutter;
  /** The position of the first sample that the detector knows. */
  #firstSample: number;
  #position: number;

  constructor(sherpa: Sherpa, cutter: ChunkCutter, firstSample: number) {
    this.#cutter = cutter;
    this.#firstSample = firstSample;
    this.#position = firstSample;
    this.#vad = new sherpa.Vad(
      {
        sileroVad: {
          model: join(import.meta.dirname, 'silero_vad_v6.onnx'),
          // A lower threshold than the model's own finds quiet words.
          threshold: 0.3,
          minSilenceDuration: 0.25,
          minSpeechDuration: minSpeechSeconds,
          maxSpeechDuration: 20,
          windowSize: detectorWindow,
        },
        sampleRate: speechRateHz,
        numThreads: 1,
        debug: false,
      },
      60,
    );
  }

  /** Judges the next window. */
  accept(window: Float32Array): void {
    this.#vad.acceptWaveform(window);
    this.#position += window.length;
    this.#takeSpeech();
    const isOpen = this.#vad.isDetected();
    this.#tellOpen(isOpen);
    if (isOpen || this.#position - this.#firstSample < resetAfter) return;
    this.#vad.reset();
    this.#firstSample = this.#position;
  }

  /** Ends speech that is open at the end of the sound. */
  flush(): void {
    this.#vad.flush();
    this.#takeSpeech();
  }

  #openFrom: number | null = null;

  #tellOpen(isOpen: boolean): void {
    if (!isOpen) this.#openFrom = null;
    else this.#openFrom ??= Math.max(this.#firstSample, this.#position - reportedAfter);
    this.#cutter.setOpenSpeech(this.#openFrom);
  }

  #takeSpeech(): void {
    while (!this.#vad.isEmpty()) {
      const { start, samples } = this.#vad.front(false);
      this.#vad.pop();
      const from = this.#firstSample + start;
      this.#cutter.addSpeech({ from, to: from + samples.length });
      this.#openFrom = null;
    }
  }
}
