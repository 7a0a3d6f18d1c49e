import type { PcmBlock } from '#workers/capture/messages.ts';
import { CaptureClock, type FramedBlock, FrameClock, type PlacedBlock } from './frame-clock.ts';
import type { CaptureSource } from '#workers/take/messages.ts';

/** A block as it came, and when. */
interface ArrivedBlock {
  frames: number;
  channels: readonly Float32Array[];
  arrivedAtMs: number;
}

/** A block that has its place in the count of frames. */
export interface ReceivedBlock extends ArrivedBlock {
  frame: number;
}

/**
 * A device that opens delivers zeros first. One that still does after this long is muted: its silence is
 * recorded.
 */
const longestWarmUpMs = 1000;

interface CaptureInputEvents {
  nowMs: () => number;
  /** A block came, whatever its place in time turns out to be. */
  onBlock: (channels: readonly Float32Array[]) => void;
  onPlaced: (source: CaptureInput, placed: PlacedBlock<ReceivedBlock>) => void;
}

/** One source of sound, from the message that named it until the next one takes over. */
export class CaptureInput {
  readonly source: CaptureSource;
  /** When it was named. */
  readonly sinceMs: number;
  readonly #events: CaptureInputEvents;
  readonly #clock: FrameClock<ReceivedBlock>;
  /** Only of a track: a worklet counts by itself. */
  readonly #captureClock: CaptureClock<ArrivedBlock>;
  #letGo: () => void = () => {};
  #isOpen = true;
  /** Null until the first block has come. */
  #warmUpEndsMs: number | null = null;
  #isWarm = false;

  constructor(source: CaptureSource, events: CaptureInputEvents) {
    this.source = source;
    this.sinceMs = events.nowMs();
    this.#events = events;
    this.#clock = new FrameClock(source.sampleRateHz);
    this.#captureClock = new CaptureClock(source.sampleRateHz);
  }

  /** Begins to listen; blocks that waited come first. */
  listen(): void {
    const { pcm } = this.source;
    if (pcm === null) return;
    if ('getReader' in pcm) {
      this.#letGo = readTrack(pcm, (block) => this.#receiveTaken(block));
      return;
    }
    pcm.onmessage = ({ data }: MessageEvent<PcmBlock>) => this.#receiveCounted(data);
    this.#letGo = () => pcm.close();
  }

  /**
   * Whether this block, the next in order, is still from before the device delivered sound: every sample is
   * exactly zero.
   */
  isWarmingUp({ block, beganAtMs }: PlacedBlock<ReceivedBlock>): boolean {
    this.#warmUpEndsMs ??= beganAtMs + longestWarmUpMs;
    this.#isWarm ||=
      beganAtMs >= this.#warmUpEndsMs ||
      block.channels.some((samples) => samples.some((sample) => sample !== 0));
    return !this.#isWarm;
  }

  /** Nothing more is taken; what was held passes on as it stands. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#letGo();
    this.#place(this.#captureClock.release());
    this.#passOn(this.#clock.release());
  }

  #receiveCounted({ frame, channels }: PcmBlock): void {
    if (this.#isOpen) this.#place([{ block: this.#arrived(channels), frame }]);
  }

  #receiveTaken({ channels, takenAtMs, sampleRateHz }: TrackBlock): void {
    // A track that speaks otherwise than it did has to be opened again: its silence is told by whoever waits
    // for sound.
    if (this.#isOpen && sampleRateHz === this.source.sampleRateHz)
      this.#place(this.#captureClock.push(this.#arrived(channels), takenAtMs));
  }

  #arrived(channels: readonly Float32Array[]): ArrivedBlock {
    this.#events.onBlock(channels);
    return { frames: channels[0]?.length ?? 0, channels, arrivedAtMs: this.#events.nowMs() };
  }

  #place(framed: readonly FramedBlock<ArrivedBlock>[]): void {
    for (const { block, frame } of framed)
      this.#passOn(this.#clock.push({ ...block, frame }, block.arrivedAtMs));
  }

  #passOn(placed: readonly PlacedBlock<ReceivedBlock>[]): void {
    for (const one of placed) this.#events.onPlaced(this, one);
  }
}

/**
 * A block of a track: one Float32Array per channel, and when the browser captured its first sample, by a
 * clock of its own.
 */
export interface TrackBlock {
  channels: Float32Array[];
  takenAtMs: number;
  sampleRateHz: number;
}

function blockOf(data: AudioData): TrackBlock {
  const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
    const samples = new Float32Array(data.numberOfFrames);
    data.copyTo(samples, { planeIndex, format: 'f32-planar' });
    return samples;
  });
  return { channels, takenAtMs: data.timestamp / 1000, sampleRateHz: data.sampleRate };
}

/**
 * Passes on what a track gives until it ends; returns a way to let it go. Blocks that waited in its queue
 * come first.
 */
export function readTrack(
  track: ReadableStream<AudioData>,
  onBlock: (block: TrackBlock) => void,
): () => void {
  const reader = track.getReader();
  // A track that breaks gives no more sound, and that is noticed by whoever waits for it.
  const next = async () => (await reader.read().catch(() => null))?.value ?? null;
  const read = async () => {
    for (let data = await next(); data !== null; data = await next()) {
      const block = blockOf(data);
      data.close();
      onBlock(block);
    }
  };
  void read().catch((error: unknown) => {
    reportError(error);
  });
  return () => {
    void reader.cancel().catch(() => undefined);
  };
}
