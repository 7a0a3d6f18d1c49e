/** A shorter run of zeros cannot be told from quiet sound. */
const minFillMs = 20;
/** Nobody mutes a microphone for less. */
const maxFillMs = 500;
/** The sound around a run is judged by this much of it. */
const edgeMs = 2;
/** A noise gate closes slowly, down to below about −40 dB. Many open at once. */
const loudEdge = 0.01;
/** A block this much later than others shows that the browser was busy. */
const lateMs = 40;

/** Zeros in the place of lost sound, in milliseconds. */
export interface FilledLoss {
  durationMs: number;
  /** How much sound has been added since they ended. */
  agoMs: number;
}

interface Run {
  frames: number;
  peakBefore: number;
  isLate: boolean;
}

/** A run of zeros that has ended, and the sound after it so far. */
interface EndedRun extends Run {
  framesSince: number;
  peakSince: number;
}

/**
 * Finds lost sound that a browser replaced by exact zeros. Zeros alone do not tell it from a noise gate or a muted
 * microphone, whose silence is sound of the microphone. A loss breaks off loud sound, and has loud sound after it unless
 * blocks arrive late.
 */
export class ZeroFill {
  readonly #msPerFrame: number;
  readonly #edgeFrames: number;
  #run: Run | null = null;
  #ended: EndedRun | null = null;
  /** The peaks of the last two edges of sound, so that at least one whole edge is known. */
  #edges: [current: number, previous: number] = [0, 0];
  #edgeFilled = 0;
  #hasSound = false;

  constructor(sampleRateHz: number) {
    this.#msPerFrame = 1000 / sampleRateHz;
    this.#edgeFrames = Math.round((sampleRateHz * edgeMs) / 1000);
  }

  /**
   * Adds sound that is recorded.
   * @param latenessMs how much later the block arrived than others
   */
  push(channels: readonly Float32Array[], latenessMs: number): FilledLoss[] {
    const frames = channels[0]?.length ?? 0;
    const found: FilledLoss[] = [];
    for (let frame = 0; frame < frames; frame += 1) {
      const peak = channels.reduce((max, samples) => Math.max(max, Math.abs(samples[frame] ?? 0)), 0);
      const loss = peak === 0 ? this.#addZero(latenessMs) : this.#addSound(peak);
      if (loss !== null) found.push({ ...loss, agoMs: loss.agoMs + (frames - frame - 1) * this.#msPerFrame });
    }
    if (this.#run !== null) this.#run.isLate ||= latenessMs >= lateMs;
    return found;
  }

  /** Forgets what came before: the next sound does not follow it. */
  restart(): void {
    this.#run = null;
    this.#ended = null;
    this.#edges = [0, 0];
    this.#edgeFilled = 0;
    this.#hasSound = false;
  }

  #addZero(latenessMs: number): FilledLoss | null {
    // A single zero belongs to the sound.
    if (this.#run === null && this.#hasSound)
      this.#run = { frames: 0, peakBefore: Math.max(...this.#edges), isLate: latenessMs >= lateMs };
    if (this.#run !== null) this.#run.frames += 1;
    return null;
  }

  #addSound(peak: number): FilledLoss | null {
    const run = this.#run;
    this.#run = null;
    this.#hasSound = true;
    const isLong = run !== null && run.frames * this.#msPerFrame >= minFillMs;
    const cutShort = isLong ? this.#judge() : null;
    if (isLong) this.#ended = { ...run, framesSince: 0, peakSince: 0 };
    this.#addToEdge(peak);
    if (cutShort !== null || this.#ended === null) return cutShort;
    this.#ended.framesSince += 1;
    this.#ended.peakSince = Math.max(this.#ended.peakSince, peak);
    return this.#ended.framesSince >= this.#edgeFrames ? this.#judge() : null;
  }

  #addToEdge(peak: number): void {
    if (this.#edgeFilled === this.#edgeFrames) {
      this.#edges = [0, this.#edges[0]];
      this.#edgeFilled = 0;
    }
    this.#edges[0] = Math.max(this.#edges[0], peak);
    this.#edgeFilled += 1;
  }

  #judge(): FilledLoss | null {
    const ended = this.#ended;
    this.#ended = null;
    if (ended === null) return null;
    const durationMs = ended.frames * this.#msPerFrame;
    const breaksOff = ended.peakBefore >= loudEdge;
    const isLoudAfter = ended.peakSince >= loudEdge;
    if (durationMs > maxFillMs || !breaksOff || !(isLoudAfter || ended.isLate)) return null;
    return { durationMs, agoMs: ended.framesSince * this.#msPerFrame };
  }
}
