import { type OpusHead, readOpusHead } from '#audio/ogg/opus-headers.ts';
import { qualities, type Quality } from '#contract/limits.ts';
import { WorkerFailure } from './worker-failure.ts';

const packetUs = 20_000;
/** libopus at 48 kHz looks ahead 6.5 ms; used only when a browser does not say. */
const usualPreSkip = 312;

export interface OpusEncoderOptions {
  sampleRateHz: number;
  channels: number;
  quality: Quality;
  /** Packets come in order; `head` says how the stream has to begin. */
  onPacket: (packet: Uint8Array, head: OpusHead) => void;
  onFailure: (error: unknown) => void;
}

/** PCM in, Opus packets of 20 ms out, by the browser's own codec (WebCodecs). */
export class OpusEncoder {
  readonly #encoder: AudioEncoder;
  readonly #options: OpusEncoderOptions;
  #head: OpusHead;
  #frames = 0;
  #planes = new Float32Array(0);

  private constructor(options: OpusEncoderOptions, config: AudioEncoderConfig) {
    this.#options = options;
    this.#head = {
      channels: options.channels,
      preSkip: usualPreSkip,
      inputSampleRateHz: options.sampleRateHz,
    };
    this.#encoder = new AudioEncoder({
      output: (chunk, metadata) => this.#receive(chunk, metadata),
      error: options.onFailure,
    });
    this.#encoder.configure(config);
  }

  /** @throws WorkerFailure `encoder-missing` when this browser cannot encode Opus */
  static async open(options: OpusEncoderOptions): Promise<OpusEncoder> {
    if (typeof AudioEncoder === 'undefined')
      throw new WorkerFailure('encoder-missing', 'this browser has no AudioEncoder');
    for (const config of configurations(options)) {
      const { supported } = await AudioEncoder.isConfigSupported(config);
      if (supported === true) return new OpusEncoder(options, config);
    }
    throw new WorkerFailure('encoder-missing', `Opus at ${options.sampleRateHz} Hz is not supported`);
  }

  /** Takes one block of PCM with exactly as many channels as the encoder was opened for. */
  encode(channels: readonly Float32Array[]): void {
    const frames = channels[0]?.length ?? 0;
    if (frames === 0) return;
    const data = new AudioData({
      format: 'f32-planar',
      sampleRate: this.#options.sampleRateHz,
      numberOfFrames: frames,
      numberOfChannels: channels.length,
      timestamp: Math.round((this.#frames * 1_000_000) / this.#options.sampleRateHz),
      data: this.#planar(channels, frames),
    });
    this.#frames += frames;
    this.#encoder.encode(data);
    data.close();
  }

  /**
   * Resolves when every sample has left the encoder. A packet's worth of silence is pushed through first,
   * because the end of the sound is still in the encoder's look-ahead; the stream writer trims it (RFC 7845
   * §4.4).
   */
  async finish(): Promise<void> {
    const silence = new Float32Array(Math.ceil((this.#options.sampleRateHz * packetUs) / 1_000_000));
    this.encode(Array.from({ length: this.#options.channels }, () => silence));
    await this.#encoder.flush();
  }

  /** Lets go of the codec, also after a failure. */
  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  #planar(channels: readonly Float32Array[], frames: number): Float32Array<ArrayBuffer> {
    if (this.#planes.length !== frames * channels.length)
      this.#planes = new Float32Array(frames * channels.length);
    channels.forEach((samples, index) => this.#planes.set(samples, index * frames));
    return this.#planes;
  }

  #receive(chunk: EncodedAudioChunk, metadata: EncodedAudioChunkMetadata | undefined): void {
    const description = metadata?.decoderConfig?.description;
    if (description !== undefined) this.#head = { ...this.#head, preSkip: preSkipOf(description) };
    const packet = new Uint8Array(chunk.byteLength);
    chunk.copyTo(packet);
    this.#options.onPacket(packet, this.#head);
  }
}

/** WebCodecs' Opus description is the OpusHead of RFC 7845 §5.1. */
function preSkipOf(description: AllowSharedBufferSource): number {
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return readOpusHead(bytes)?.preSkip ?? usualPreSkip;
}

/**
 * TypeScript's library lags behind the WebCodecs Opus registration, which has had `application` since 2024.
 */
interface TunedOpusConfig extends OpusEncoderConfig {
  application: 'voip' | 'audio';
}

/** What we want, then what any Opus encoder must understand. */
function configurations({ sampleRateHz, channels, quality }: OpusEncoderOptions): AudioEncoderConfig[] {
  const plain: AudioEncoderConfig = {
    codec: 'opus',
    sampleRate: sampleRateHz,
    numberOfChannels: channels,
    bitrate: qualities[quality].bitrateBps,
  };
  const opus: TunedOpusConfig = {
    format: 'opus',
    frameDuration: packetUs,
    complexity: 9,
    application: quality === 'speech' ? 'voip' : 'audio',
  };
  return [{ ...plain, opus }, { ...plain, opus: { format: 'opus', frameDuration: packetUs } }, plain];
}
