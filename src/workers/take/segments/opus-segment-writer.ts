import { durationMsOf } from '#audio/ogg/ogg-prefix.ts';
import { type OpusHead, readOpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { peaksFormat, qualities, type Quality } from '#contract/limits.ts';
import type { FileLoss } from './file-clock.ts';
import { PeaksWriter } from './peaks-writer.ts';
import type { SegmentWriter, SegmentWriterOptions } from './segment-writer.ts';
import { WorkerFailure } from '#workers/take/worker-failure.ts';

const vendor = 'Earshot';
const msPerPoint = 1000 / peaksFormat.pointsPerSecond;
/** Two packets, 40 ms, are the most that a killed browser loses. */
const packetsPerProvisionalPage = 2;

/** Encodes PCM to Ogg pages and peaks in the journal. Buffers no sound beyond the current page. */
export class OpusSegmentWriter implements SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #accumulator: PeaksAccumulator;
  readonly #peaks: PeaksWriter;
  #encoder: OpusEncoder | null = null;
  #stream: OpusStreamWriter | null = null;
  #preSkip = 0;
  #frames = 0;
  #packetsSincePage = 0;
  #accepts: 'sound' | 'ending' | 'nothing' = 'sound';

  private constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#accumulator = new PeaksAccumulator(options.format.sampleRateHz);
    this.#peaks = new PeaksWriter(options.peaks);
  }

  /** @throws WorkerFailure `encoder-missing` if this browser cannot encode Opus */
  static async open(options: SegmentWriterOptions): Promise<OpusSegmentWriter> {
    const writer = new OpusSegmentWriter(options);
    writer.#encoder = await OpusEncoder.open({
      ...options.format,
      quality: options.quality,
      onPacket: (packet, head) => writer.#receive(packet, head),
      onFailure: (error) => writer.#fail(error),
    });
    return writer;
  }

  get capturedMs(): number {
    return Math.floor((this.#frames * 1000) / this.#options.format.sampleRateHz);
  }

  push(channels: readonly Float32Array[]): void {
    if (this.#accepts !== 'sound') return;
    this.#accumulator.push(channels);
    this.#frames += channels[0]?.length ?? 0;
    try {
      this.#encoder?.encode(channels);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Always fails: chunks belong to MediaRecorder segments. */
  pushChunk(): void {
    this.#fail(new TypeError('a PCM segment does not accept chunks'));
  }

  /** Nothing: silence takes the place of lost PCM before it gets here. */
  takeLosses(): readonly FileLoss[] {
    return [];
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.#writeProvisionalPage();
  }

  takePoints(): Int8Array<ArrayBuffer> {
    const points = this.#accumulator.take();
    if (points.length > 0) this.#peaks.hold(points.slice());
    return points;
  }

  flush(): void {
    this.#options.audio.flush();
    this.#options.peaks.flush();
  }

  async finish(): Promise<number> {
    const isWhole = this.#accepts === 'sound';
    this.#accepts = 'ending';
    try {
      if (isWhole) await this.#drain();
      this.#accumulator.flush();
      this.takePoints();
      this.#peaks.write(Math.ceil(this.#options.positions.endMs / msPerPoint));
    } catch (error) {
      if (isWhole) this.#options.onFailure(error);
    }
    this.#accepts = 'nothing';
    this.#encoder?.close();
    return this.#options.positions.endMs;
  }

  /** The encoder delivers the last packets through its callback during `finish`. */
  async #drain(): Promise<void> {
    await this.#encoder?.finish();
    const samples = Math.round((this.#frames * opusGranuleRateHz) / this.#options.format.sampleRateHz);
    for (const page of this.#stream?.finish(samples) ?? []) this.#append(page);
  }

  #receive(packet: Uint8Array, head: OpusHead): void {
    try {
      this.#stream ??= this.#start(head);
      const page = this.#stream.push(packet);
      this.#packetsSincePage += 1;
      if (page !== null) {
        this.#append(page);
        this.#peaks.write(Math.floor(this.#options.positions.endMs / msPerPoint));
      }
      if (this.#packetsSincePage >= packetsPerProvisionalPage && this.#accepts === 'sound')
        this.#writeProvisionalPage();
    } catch (error) {
      this.#fail(error);
    }
  }

  #start(head: OpusHead): OpusStreamWriter {
    const serialNumber = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const stream = new OpusStreamWriter({ ...head, serialNumber, vendor });
    this.#preSkip = head.preSkip;
    for (const page of stream.headers()) this.#append(page);
    return stream;
  }

  #append(page: WrittenPage): void {
    this.#options.audio.append(page.bytes);
    this.#options.positions.add(
      this.#options.audio.sizeBytes,
      durationMsOf(page.granulePosition, this.#preSkip),
    );
  }

  #writeProvisionalPage(): void {
    const page = this.#stream?.provisional() ?? null;
    if (page !== null) this.#options.audio.writeProvisionalPage(page);
    this.#packetsSincePage = 0;
  }

  #fail(error: unknown): void {
    if (this.#accepts === 'nothing') return;
    this.#accepts = 'nothing';
    this.#options.onFailure(error);
  }
}

const packetUs = 20_000;
/** libopus at 48 kHz looks ahead 6.5 ms; used only if the browser does not provide the value. */
const defaultPreSkip = 312;

interface OpusEncoderOptions {
  sampleRateHz: number;
  channels: number;
  quality: Quality;
  /** Receives packets in order; `head` has the values for the header of the stream. */
  onPacket: (packet: Uint8Array, head: OpusHead) => void;
  onFailure: (error: unknown) => void;
}

/** Encodes PCM to Opus packets of 20 ms with WebCodecs. */
class OpusEncoder {
  readonly #encoder: AudioEncoder;
  readonly #options: OpusEncoderOptions;
  #head: OpusHead;
  #frames = 0;
  #planes = new Float32Array(0);

  private constructor(options: OpusEncoderOptions, config: AudioEncoderConfig) {
    this.#options = options;
    this.#head = {
      channels: options.channels,
      preSkip: defaultPreSkip,
      inputSampleRateHz: options.sampleRateHz,
    };
    this.#encoder = new AudioEncoder({
      output: (chunk, metadata) => this.#receive(chunk, metadata),
      error: options.onFailure,
    });
    this.#encoder.configure(config);
  }

  /** @throws WorkerFailure `encoder-missing` if this browser cannot encode Opus */
  static async open(options: OpusEncoderOptions): Promise<OpusEncoder> {
    if (typeof AudioEncoder === 'undefined')
      throw new WorkerFailure('encoder-missing', 'this browser has no AudioEncoder');
    for (const config of configurations(options)) {
      const { supported } = await AudioEncoder.isConfigSupported(config);
      if (supported === true) return new OpusEncoder(options, config);
    }
    throw new WorkerFailure('encoder-missing', `Opus at ${options.sampleRateHz} Hz is not supported`);
  }

  /** Encodes one block of PCM with exactly as many channels as the encoder was opened for. */
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
   * Resolves when every sample has left the encoder. Encodes one packet of silence first, because the end of the
   * sound is still in the encoder's look-ahead; the stream writer trims it (RFC 7845 §4.4).
   */
  async finish(): Promise<void> {
    const silence = new Float32Array(Math.ceil((this.#options.sampleRateHz * packetUs) / 1_000_000));
    this.encode(Array.from({ length: this.#options.channels }, () => silence));
    await this.#encoder.flush();
  }

  /** Releases the codec, also after a failure. */
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
  return readOpusHead(bytes)?.preSkip ?? defaultPreSkip;
}

/** TypeScript's library lacks `application`, which the WebCodecs Opus registration has had since 2024. */
interface TunedOpusConfig extends OpusEncoderConfig {
  application: 'voip' | 'audio';
}

/** The preferred configuration, then simpler ones that any Opus encoder must support. */
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
