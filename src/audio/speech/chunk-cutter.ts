import { firstLoudRun } from './loud-run.ts';
import {
  pointLevels,
  pointMs,
  pointSamples,
  quietestSample,
  samplesPerMs,
  speechRateHz,
} from './point-levels.ts';
import { SampleBuffer } from './sample-buffer.ts';

/** A part of the sound, in samples from the start of the stream. */
export interface SampleSpan {
  from: number;
  to: number;
}

/** `speech`: to be heard. `noise`: sound in which no speech was found. `silence`: nothing, for a long time. */
export interface CutChunk extends SampleSpan {
  kind: 'speech' | 'noise' | 'silence';
  /** Empty unless it is speech. */
  samples: Float32Array;
  /** The speech in it. */
  speech: readonly SampleSpan[];
}

export const maxChunkMs = 28_000;
const maxChunk = maxChunkMs * samplesPerMs;
/** Where no pause is, a chunk is cut at the quietest point of its last four seconds. */
const searchedEnd = 4 * speechRateHz;
/** A chunk ends at a pause that is at least this far from its start. */
const minBeforePause = 14 * speechRateHz;
/** Speech with less silence between is heard together: a detector misses speech in between. */
const maxPause = 4 * speechRateHz;
/** Sound before and after speech that is heard with it. */
const padding = 0.2 * speechRateHz;
/** Shorter chunks are dropped. */
const minChunk = 0.1 * speechRateHz;
/** How late a detector may report the start of speech. */
const detectorDelay = speechRateHz;
/** Silence without any chunk is reported this often, so that a caller can continue after it. */
const maxUnreported = 300 * speechRateHz;

const noSamples = new Float32Array(0);
/** Chunks start and end at whole milliseconds. */
const wholeMs = (sample: number): number => Math.floor(sample / samplesPerMs) * samplesPerMs;

/** A growing group of speech that is heard together. */
interface Group {
  from: number;
  /** Where it has to end: 28 s after its start, the next cut, or the end of the sound. */
  limit: number;
  speech: SampleSpan[];
  /** Whether speech continues at the limit. */
  isOver: boolean;
  /** Whether more speech may follow. */
  isOpen: boolean;
}

/**
 * Cuts sound into chunks of at most 28 s, at pauses if there are any. Receives the sound, and the speech that a
 * detector finds in it. The result depends only on the sound after the start, so cutting can be continued at the end
 * of any chunk.
 */
export class ChunkCutter {
  readonly #buffer: SampleBuffer;
  readonly #cuts: readonly number[];
  readonly #end: number;
  /** Everything before is reported. */
  #doneTo: number;
  #reportedTo: number;
  #speech: SampleSpan[] = [];
  /** Where speech started that has not ended yet. */
  #openFrom: number | null = null;
  #isEnded = false;

  /**
   * @param options.firstSample the position of the first sample that is pushed
   * @param options.from nothing before is reported
   * @param options.to nothing from here on is reported
   * @param options.cuts positions that no chunk crosses
   */
  constructor(options: { firstSample: number; from: number; to: number; cuts: readonly number[] }) {
    this.#buffer = new SampleBuffer(options.firstSample);
    this.#doneTo = wholeMs(options.from);
    this.#reportedTo = this.#doneTo;
    this.#end = wholeMs(options.to);
    this.#cuts = options.cuts.map(wholeMs).toSorted((a, b) => a - b);
  }

  /** Adds the samples after the last ones. */
  push(samples: Float32Array): void {
    this.#buffer.push(samples);
  }

  /** Speech started here, and continues. Null: nobody speaks. */
  setOpenSpeech(from: number | null): void {
    this.#openFrom = from;
  }

  /** Adds speech that has ended, in order. */
  addSpeech({ from, to }: SampleSpan): void {
    this.#openFrom = null;
    this.#speech.push({ from, to });
  }

  /** No more samples follow. */
  end(): void {
    this.#isEnded = true;
    if (this.#openFrom !== null) this.addSpeech({ from: this.#openFrom, to: this.#buffer.to });
  }

  /** Takes the next chunk that is complete; null if there is none yet. */
  next(): CutChunk | null {
    const chunk = this.#nextChunk();
    this.#buffer.dropBefore(this.#doneTo);
    return chunk;
  }

  #nextChunk(): CutChunk | null {
    for (;;) {
      const group = this.#group();
      if (group === null) return this.#beforeSpeech(this.#quietTo(), { isEnded: this.#isEnded });
      const before = this.#beforeSpeech(group.from, { isEnded: true });
      if (before !== null) return before;
      this.#doneTo = Math.max(this.#doneTo, group.from);
      if (group.isOpen) return null;
      const chunk = this.#cut(group);
      if (chunk !== null) return chunk;
    }
  }

  /** Up to where it is certain that nobody speaks. */
  #quietTo(): number {
    const known = this.#isEnded ? this.#buffer.to : this.#buffer.to - detectorDelay;
    return Math.min(this.#end, known);
  }

  /** The speech that is not reported yet, from the end of what is. */
  #waiting(): SampleSpan[] {
    const open = this.#openFrom === null ? [] : [{ from: this.#openFrom, to: this.#buffer.to }];
    const spans = [...this.#speech, ...open]
      .map(({ from, to }) => ({ from: Math.max(from, this.#doneTo), to: Math.min(to, this.#end) }))
      .filter(({ from, to }) => to > from);
    this.#speech = this.#speech.filter(({ to }) => to > this.#doneTo);
    return spans;
  }

  /** The first speech that is heard together; null if nobody speaks. */
  #group(): Group | null {
    const waiting = this.#waiting();
    const [first] = waiting;
    if (first === undefined) return null;
    const cutBefore = this.#cuts.findLast((cut) => cut <= first.from) ?? 0;
    const cutAfter = this.#cuts.find((cut) => cut > first.from) ?? Infinity;
    const from = wholeMs(Math.max(this.#doneTo, cutBefore, first.from - padding));
    const limit = Math.min(from + maxChunk, cutAfter, this.#end);
    const speech: SampleSpan[] = [];
    let isOver = false;
    let groupEnd = first.from;
    for (const span of waiting) {
      if (isOver || span.from - groupEnd >= maxPause || span.from >= limit) break;
      speech.push({ from: span.from, to: Math.min(span.to, limit) });
      groupEnd = Math.min(span.to, limit);
      isOver = span.to >= limit;
    }
    const isFollowed = speech.length < waiting.length;
    // The detector has then found everything before the limit, whenever it is asked.
    const isClosed =
      this.#isEnded || isFollowed || this.#buffer.to >= Math.min(limit, groupEnd + maxPause) + detectorDelay;
    return { from, limit, speech, isOver, isOpen: !isClosed };
  }

  /** Ends a group. Null if it is too short. */
  #cut(group: Group): CutChunk | null {
    const to = this.#endOf(group);
    const { from } = group;
    if (to - from < minChunk) {
      this.#doneTo = Math.max(to, group.speech.at(-1)?.to ?? to);
      return null;
    }
    this.#doneTo = to;
    this.#reportedTo = to;
    const speech = group.speech
      .filter((span) => span.from < to)
      .map((span) => ({ from: span.from, to: Math.min(span.to, to) }));
    return { kind: 'speech', from, to, samples: this.#buffer.slice(from, to), speech };
  }

  #endOf({ from, limit, speech, isOver }: Group): number {
    const last = speech.at(-1)?.to ?? limit;
    // A passage or the end of the sound is no place to choose.
    if (!isOver || limit < from + maxChunk)
      return wholeMs(Math.max(from, Math.min(limit, last + padding, this.#buffer.to)));
    const pause = speech.findLastIndex((span, index) => {
      const following = speech[index + 1];
      return following !== undefined && span.to - from >= minBeforePause;
    });
    const [before, after] = [speech[pause], speech[pause + 1]];
    if (pause >= 0 && before !== undefined && after !== undefined)
      return wholeMs(Math.min(before.to + padding, (before.to + after.from) / 2));
    const searchedFrom = limit - searchedEnd;
    return wholeMs(searchedFrom + quietestSample(this.#buffer.slice(searchedFrom, limit)));
  }

  /** Reports sound without speech, and silence, before a position. */
  #beforeSpeech(to: number, { isEnded }: { isEnded: boolean }): CutChunk | null {
    while (this.#doneTo < to) {
      const from = this.#doneTo;
      const until = Math.min(to, this.#cuts.find((cut) => cut > from) ?? Infinity);
      const found = firstLoudRun(pointLevels(this.#buffer.slice(from, until)), {
        isEnded: isEnded || until < to,
        maxPoints: maxChunkMs / pointMs,
      });
      if (found.run !== null) {
        const [first, last] = found.run;
        this.#doneTo = from + last * pointSamples;
        this.#reportedTo = this.#doneTo;
        return {
          kind: 'noise',
          from: from + first * pointSamples,
          to: this.#doneTo,
          samples: noSamples,
          speech: [],
        };
      }
      const isWhole = isEnded || until < to;
      this.#doneTo = isWhole ? until : wholeMs(from + found.quietUntil * pointSamples);
      if (!isWhole) break;
    }
    return this.#unreported();
  }

  #unreported(): CutChunk | null {
    const to = this.#doneTo;
    if (to - this.#reportedTo < maxUnreported) return null;
    this.#reportedTo = to;
    return { kind: 'silence', from: to - speechRateHz, to, samples: noSamples, speech: [] };
  }
}
