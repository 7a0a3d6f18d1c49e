import type { OpusDecoder } from 'opus-decoder';
import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { openOpusDecoder } from '#server/processes/open-opus-decoder.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';

/** Makes peaks of a stream of Opus packets that came without them. Decodes packet by packet and retains no PCM. */
export class PacketPeaks {
  readonly #decoder: OpusDecoder<typeof opusGranuleRateHz>;
  readonly #accumulator = new PeaksAccumulator(opusGranuleRateHz);
  /** The remaining pre-skip, which is not sound (RFC 7845 §4.2). */
  #samplesToSkip: number;

  private constructor(decoder: OpusDecoder<typeof opusGranuleRateHz>, preSkip: number) {
    this.#decoder = decoder;
    this.#samplesToSkip = preSkip;
  }

  /** Starts the decoder (WebAssembly). */
  static async open({ channels, preSkip }: OpusHead): Promise<PacketPeaks> {
    return new PacketPeaks(await openOpusDecoder(channels, opusGranuleRateHz), preSkip);
  }

  /** Adds one packet. A packet that can't be decoded adds no sound. */
  push(packet: Uint8Array): void {
    const { channelData, samplesDecoded } = this.#decoder.decodeFrame(packet);
    const skipped = Math.min(this.#samplesToSkip, samplesDecoded);
    this.#samplesToSkip -= skipped;
    this.#accumulator.push(channelData.map((samples) => samples.subarray(skipped, samplesDecoded)));
  }

  /** Adds silence without decoding. */
  pushSilence(samples: number): void {
    this.#accumulator.pushSilence(samples);
  }

  /** Returns the points since the last call: min, max, min, max… */
  take(): Int8Array<ArrayBuffer> {
    return this.#accumulator.take();
  }

  /** Completes the last point, frees the decoder and returns the remaining points. */
  finish(): Int8Array<ArrayBuffer> {
    this.#accumulator.flush();
    this.#decoder.free();
    return this.#accumulator.take();
  }
}
