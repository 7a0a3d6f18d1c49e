import { LevelMeter, type Level } from '#audio/level-meter.ts';
import { matchChannels } from '#audio/match-channels.ts';
import { durationMsOf } from '#audio/ogg/ogg-prefix.ts';
import type { OpusHead } from '#audio/ogg/opus-headers.ts';
import { opusGranuleRateHz } from '#audio/ogg/opus-packet.ts';
import { OpusStreamWriter, type WrittenPage } from '#audio/ogg/opus-stream-writer.ts';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { peaksFormat, type Quality } from '#contract/limits.ts';
import type { PositionMap } from '../journal/position-map.ts';
import type { StreamJournal } from '../journal/stream-journal.ts';
import { OpusEncoder } from '../opus-encoder.ts';

const vendor = 'Earshot';
const msPerPoint = 1000 / peaksFormat.pointsPerSecond;

export interface LiveTakeOptions {
  sampleRateHz: number;
  channels: number;
  quality: Quality;
  serialNumber: number;
  audio: StreamJournal;
  peaks: StreamJournal;
  /** Learns where in the audio file each page ends. */
  positions: PositionMap;
  /** Sound can no longer be kept: the encoder broke, or the disk is full. */
  onFailure: (error: unknown) => void;
}

/** The segment being recorded: PCM in, Ogg pages and peaks in the journal. Holds no sound beyond the page it is filling. */
export class LiveTake {
  readonly #options: LiveTakeOptions;
  readonly #meter = new LevelMeter();
  readonly #accumulator: PeaksAccumulator;
  #encoder: OpusEncoder | null = null;
  #writer: OpusStreamWriter | null = null;
  #preSkip = 0;
  #frames = 0;
  /** Points not yet in the journal: peaks never run ahead of the audio there, whatever moment the tab dies in. */
  #unwritten: Int8Array[] = [];
  #writtenPoints = 0;
  #accepts: 'sound' | 'level' | 'ending' | 'nothing' = 'level';

  private constructor(options: LiveTakeOptions) {
    this.#options = options;
    this.#accumulator = new PeaksAccumulator(options.sampleRateHz);
  }

  /** Opens the encoder; nothing is recorded before `resume`. */
  static async open(options: LiveTakeOptions): Promise<LiveTake> {
    const take = new LiveTake(options);
    take.#encoder = await OpusEncoder.open({
      ...options,
      onPacket: (packet, head) => take.#receive(packet, head),
      onFailure: (error) => take.#fail(error),
    });
    return take;
  }

  /** Sound taken in so far, whole milliseconds. */
  get capturedMs(): number {
    return Math.floor((this.#frames * 1000) / this.#options.sampleRateHz);
  }

  /** Takes one block of PCM from the worklet. */
  push(received: readonly Float32Array[]): void {
    if (this.#accepts === 'nothing' || this.#accepts === 'ending') return;
    const channels = matchChannels(received, this.#options.channels);
    this.#meter.push(channels);
    if (this.#accepts === 'level') return;
    this.#accumulator.push(channels);
    this.#frames += channels[0]?.length ?? 0;
    try {
      this.#encoder?.encode(channels);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sound is measured, not kept. */
  pause(): void {
    if (this.#accepts === 'sound') this.#accepts = 'level';
  }

  /** Sound is kept, in the same stream as before. */
  resume(): void {
    if (this.#accepts === 'level') this.#accepts = 'sound';
  }

  /** What the screen shows since the last call. */
  takeLevel(): Level & { points: Int8Array<ArrayBuffer> } {
    const points = this.#accumulator.take();
    if (points.length > 0) this.#unwritten.push(points.slice());
    return { ...this.#meter.take(), points };
  }

  /** Puts everything that is in whole pages on the disk, the audio first. */
  flush(): void {
    try {
      this.#options.audio.flush();
      this.#options.peaks.flush();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the segment and puts it on the disk; answers with its exact length. Keeps what fits when the disk is full. */
  async finish(): Promise<{ durationMs: number }> {
    const isWhole = this.#accepts !== 'nothing';
    this.#accepts = 'ending';
    try {
      if (isWhole) await this.#drain();
      this.#accumulator.flush();
      this.takeLevel();
      this.#writePeaks(Math.ceil(this.#options.positions.endMs / msPerPoint));
    } catch (error) {
      if (isWhole) this.#options.onFailure(error);
    }
    this.#accepts = 'nothing';
    this.#encoder?.close();
    this.#options.audio.close();
    this.#options.peaks.close();
    return { durationMs: this.#options.positions.endMs };
  }

  /** The flush below yields the last packets through the encoder's callback. */
  async #drain(): Promise<void> {
    await this.#encoder?.finish();
    const samples = Math.round((this.#frames * opusGranuleRateHz) / this.#options.sampleRateHz);
    for (const page of this.#writer?.finish(samples) ?? []) this.#append(page);
  }

  #receive(packet: Uint8Array, head: OpusHead): void {
    try {
      this.#writer ??= this.#begin(head);
      const page = this.#writer.push(packet);
      if (page === null) return;
      this.#append(page);
      this.#writePeaks(Math.floor(this.#options.positions.endMs / msPerPoint));
    } catch (error) {
      this.#fail(error);
    }
  }

  #begin(head: OpusHead): OpusStreamWriter {
    const writer = new OpusStreamWriter({ ...head, serialNumber: this.#options.serialNumber, vendor });
    this.#preSkip = head.preSkip;
    for (const page of writer.headers()) this.#append(page);
    return writer;
  }

  #append(page: WrittenPage): void {
    this.#options.audio.append(page.bytes);
    this.#options.positions.add(this.#options.audio.sizeBytes, durationMsOf(page.granulePosition, this.#preSkip));
  }

  #writePeaks(upToPoints: number): void {
    const all = joined(this.#unwritten);
    const wantedBytes = Math.max(0, upToPoints - this.#writtenPoints) * peaksFormat.bytesPerPoint;
    const now = all.subarray(0, wantedBytes);
    const later = all.subarray(now.length);
    this.#unwritten = later.length > 0 ? [later] : [];
    if (now.length === 0) return;
    this.#options.peaks.append(new Uint8Array(now.buffer, now.byteOffset, now.length));
    this.#writtenPoints += now.length / peaksFormat.bytesPerPoint;
  }

  #fail(error: unknown): void {
    if (this.#accepts === 'nothing') return;
    this.#accepts = 'nothing';
    this.#options.onFailure(error);
  }
}

function joined(parts: readonly Int8Array[]): Int8Array {
  const whole = new Int8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}
