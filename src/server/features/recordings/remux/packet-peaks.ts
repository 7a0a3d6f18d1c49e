import { OpusDecoder } from 'opus-decoder';
import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';

/**
 * The peaks of a stream of Opus packets, for sound that came without them: decodes packet by packet and keeps
 * no PCM.
 */
export class PacketPeaks {
  readonly #decoder: OpusDecoder;
  readonly #accumulator = new PeaksAccumulator(opusGranuleRateHz);
  /** The decoder's own start-up, which is no sound (RFC 7845 §4.2). */
  #samplesToSkip: number;

  private constructor(decoder: OpusDecoder, preSkip: number) {
    this.#decoder = decoder;
    this.#samplesToSkip = preSkip;
  }

  /** Starts the decoder (WebAssembly). */
  static async open({ channels, preSkip }: OpusHead): Promise<PacketPeaks> {
    const isStereo = channels > 1;
    const decoder = new OpusDecoder({
      channels: isStereo ? 2 : 1,
      streamCount: 1,
      coupledStreamCount: isStereo ? 1 : 0,
      channelMappingTable: isStereo ? [0, 1] : [0],
      preSkip: 0,
    });
    await decoder.ready;
    return new PacketPeaks(decoder, preSkip);
  }

  /** Takes one packet; one that cannot be decoded counts as no sound. */
  push(packet: Uint8Array): void {
    const { channelData, samplesDecoded } = this.#decoder.decodeFrame(packet);
    const skipped = Math.min(this.#samplesToSkip, samplesDecoded);
    this.#samplesToSkip -= skipped;
    this.#accumulator.push(channelData.map((samples) => samples.subarray(skipped, samplesDecoded)));
  }

  /** Takes silence that needs no decoder. */
  pushSilence(samples: number): void {
    this.#accumulator.pushSilence(samples);
  }

  /** The points since the last call: min, max, min, max… */
  take(): Int8Array<ArrayBuffer> {
    return this.#accumulator.take();
  }

  /** Closes the last point, lets the decoder go, and answers with the points still left. */
  finish(): Int8Array<ArrayBuffer> {
    this.#accumulator.flush();
    this.#decoder.free();
    return this.#accumulator.take();
  }
}
