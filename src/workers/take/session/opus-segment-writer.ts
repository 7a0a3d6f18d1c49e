import { matchChannels } from '#audio/match-channels.ts';
import { durationMsOf } from '#audio/ogg/ogg-prefix.ts';
import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { peaksFormat } from '#contract/limits.ts';
import { OpusEncoder } from '#workers/take/opus-encoder.ts';
import { PeaksWriter } from '#workers/take/segments/peaks-writer.ts';
import type { SegmentWriter, SegmentWriterOptions } from './segment-writer.ts';

const vendor = 'Earshot';
const msPerPoint = 1000 / peaksFormat.pointsPerSecond;
/** A page is provisional for two packets, 40 ms, at most: what a killed browser loses. */
const packetsPerSketch = 2;

/** PCM in, Ogg pages and peaks in the journal. Holds no sound beyond the page it is filling. */
export class OpusSegmentWriter implements SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #accumulator: PeaksAccumulator;
  readonly #peaks: PeaksWriter;
  #encoder: OpusEncoder | null = null;
  #stream: OpusStreamWriter | null = null;
  #preSkip = 0;
  #frames = 0;
  #unsketchedPackets = 0;
  #accepts: 'sound' | 'ending' | 'nothing' = 'sound';

  private constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#accumulator = new PeaksAccumulator(options.format.sampleRateHz);
    this.#peaks = new PeaksWriter(options.peaks);
  }

  /** @throws WorkerFailure `encoder-missing` when this browser cannot encode Opus */
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

  push(received: readonly Float32Array[]): void {
    if (this.#accepts !== 'sound') return;
    const channels = matchChannels(received, this.#options.format.channels);
    this.#accumulator.push(channels);
    this.#frames += channels[0]?.length ?? 0;
    try {
      this.#encoder?.encode(channels);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Pieces of somebody else's file have no place in this one. */
  pushChunk(): void {
    this.#fail(new TypeError('a segment of PCM takes no chunks'));
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.#sketch();
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

  /** The flush below yields the last packets through the encoder's callback. */
  async #drain(): Promise<void> {
    await this.#encoder?.finish();
    const samples = Math.round((this.#frames * opusGranuleRateHz) / this.#options.format.sampleRateHz);
    for (const page of this.#stream?.finish(samples) ?? []) this.#append(page);
  }

  #receive(packet: Uint8Array, head: OpusHead): void {
    try {
      this.#stream ??= this.#start(head);
      const page = this.#stream.push(packet);
      this.#unsketchedPackets += 1;
      if (page !== null) {
        this.#append(page);
        this.#peaks.write(Math.floor(this.#options.positions.endMs / msPerPoint));
      }
      if (this.#unsketchedPackets >= packetsPerSketch && this.#accepts === 'sound') this.#sketch();
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

  #sketch(): void {
    const page = this.#stream?.provisional() ?? null;
    if (page !== null) this.#options.audio.sketch(page);
    this.#unsketchedPackets = 0;
  }

  #fail(error: unknown): void {
    if (this.#accepts === 'nothing') return;
    this.#accepts = 'nothing';
    this.#options.onFailure(error);
  }
}
