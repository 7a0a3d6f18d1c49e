import { ChannelMixer } from '#audio/channel-mixer.ts';
import type { PcmBlock } from '#workers/capture/messages.ts';
import { CaptureClock, type FramedBlock, FrameClock, type PlacedBlock } from './frame-clock.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { FileTime } from '#workers/take/segments/file-time.ts';
import { maxWarmUpMs } from '#workers/take/segments/microphone-silence.ts';
import { ZeroFill } from './zero-fill.ts';

/** A block and the time of its arrival. */
interface ArrivedBlock {
  frames: number;
  channels: readonly Float32Array[];
  arrivedAtMs: number;
}

/** A block with its frame number. */
export interface ReceivedBlock extends ArrivedBlock {
  frame: number;
}

interface CaptureInputEvents {
  nowMs: () => number;
  /**
   * Called for every block that arrives, before its position in time is known: with the channels that are recorded,
   * and those that the device delivered.
   */
  onBlock: (channels: readonly Float32Array[], delivered: readonly Float32Array[]) => void;
  onPlaced: (source: CaptureInput, placed: PlacedBlock<ReceivedBlock>) => void;
}

/** One source of sound, from the message that announced it until the next source takes over. */
export class CaptureInput {
  readonly source: CaptureSource;
  /** When the source was announced. */
  readonly sinceMs: number;
  /** Finds lost sound that is zeros; null in a browser that puts none there. */
  readonly zeroFill: ZeroFill | null;
  /** The file of a recorder; null for PCM. */
  readonly file: FileTime | null;
  readonly #events: CaptureInputEvents;
  readonly #clock: FrameClock<ReceivedBlock>;
  /** Used for tracks only: a worklet counts its frames. */
  readonly #captureClock: CaptureClock<ArrivedBlock>;
  readonly #mixer: ChannelMixer;
  #release: () => void = () => {};
  #isOpen = true;
  /** Null until the first block has arrived. */
  #warmUpEndsMs: number | null = null;
  #isWarm = false;

  constructor(source: CaptureSource, events: CaptureInputEvents) {
    this.source = source;
    this.sinceMs = events.nowMs();
    this.#events = events;
    const isFilled = source.kind === 'pcm' && source.fillsLossWithZeros === true;
    this.zeroFill = isFilled ? new ZeroFill(source.sampleRateHz) : null;
    this.file = source.kind === 'media-recorder' ? new FileTime(source.container) : null;
    const isTrack = source.pcm !== null && 'getReader' in source.pcm;
    this.#clock = new FrameClock(source.sampleRateHz, { findsSmallLosses: !isTrack });
    this.#captureClock = new CaptureClock(source.sampleRateHz);
    this.#mixer = new ChannelMixer(source.channels);
  }

  /** Starts to listen. Queued blocks are delivered first. */
  listen(): void {
    const { pcm } = this.source;
    if (pcm === null) return;
    if ('getReader' in pcm) {
      this.#release = readTrack(
        pcm,
        (block) => this.#receiveTaken(block),
        this.source.kind === 'pcm' ? this.source.first : undefined,
      );
      return;
    }
    pcm.onmessage = ({ data }: MessageEvent<PcmBlock>) => this.#receiveCounted(data);
    this.#release = () => pcm.close();
  }

  /**
   * True while the device has delivered nothing but zeros, for at most `maxWarmUpMs`. Must be called for each
   * block in order.
   */
  isWarmingUp({ block, beganAtMs }: PlacedBlock<ReceivedBlock>): boolean {
    this.#warmUpEndsMs ??= beganAtMs + maxWarmUpMs;
    this.#isWarm ||=
      beganAtMs >= this.#warmUpEndsMs ||
      block.channels.some((samples) => samples.some((sample) => sample !== 0));
    return !this.#isWarm;
  }

  /** Stops listening and passes on the held blocks as they are. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#release();
    this.#place(this.#captureClock.release());
    this.#passOn(this.#clock.release());
  }

  #receiveCounted({ frame, channels }: PcmBlock): void {
    if (this.#isOpen) this.#place([{ block: this.#arrived(channels), frame }]);
  }

  #receiveTaken({ channels, takenAtMs, sampleRateHz }: TrackBlock): void {
    // A track whose sample rate changed has to be reopened. Dropping its blocks makes the stall watch report it.
    if (this.#isOpen && sampleRateHz === this.source.sampleRateHz)
      this.#place(this.#captureClock.push(this.#arrived(channels), takenAtMs));
  }

  /** Everything behind this point, the level meter included, has the channels that are recorded. */
  #arrived(delivered: readonly Float32Array[]): ArrivedBlock {
    const channels = this.#mixer.mix(delivered);
    this.#events.onBlock(channels, delivered);
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
 * A block of a track: one Float32Array per channel, and the time at which the browser captured its first sample
 * (microseconds of the track's clock, converted to milliseconds).
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

function takeBlock(data: AudioData): TrackBlock {
  const block = blockOf(data);
  data.close();
  return block;
}

/**
 * Passes on the blocks of a track until it ends: the first one if it was read before, then queued blocks. Returns a
 * function that cancels the track.
 */
export function readTrack(
  track: ReadableStream<AudioData>,
  onBlock: (block: TrackBlock) => void,
  first?: AudioData,
): () => void {
  const reader = track.getReader();
  // A track that fails delivers no more sound, which the stall watch reports.
  const next = async () => (await reader.read().catch(() => null))?.value ?? null;
  const read = async () => {
    await Promise.resolve();
    if (first !== undefined) onBlock(takeBlock(first));
    for (let data = await next(); data !== null; data = await next()) {
      onBlock(takeBlock(data));
    }
  };
  void read().catch((error: unknown) => {
    reportError(error);
  });
  return () => {
    void reader.cancel().catch(() => undefined);
  };
}
