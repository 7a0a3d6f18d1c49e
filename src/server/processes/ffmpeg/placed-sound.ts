import { minHoleMs } from '#audio/min-hole.ts';
import { second } from '#base/duration.ts';

/** Precedes the numbers of a hole in ffmpeg's log. No other number there is negative. */
const holeMark = -1;
/** ffmpeg's level of an error, which is the lowest that it logs. */
const logLevel = 16;

/** Logs the end of the sound before a hole, the end of the hole, and how much of it precedes one frame, in seconds. */
const reportHole = `print(${holeMark},${logLevel});print(ld(2)*TB,${logLevel});print(ld(1)*TB,${logLevel});print((ld(1)-ld(0))*TB,${logLevel})`;

/**
 * Returns ffmpeg's filters that place audio on its timeline, shared by everything that reads audio. Time starts
 * with the first audio and never runs backwards. Consecutive streams follow each other, and silence fills gaps in
 * the timestamps.
 * @param latestMs later timestamps are ignored; 0 ignores all, and the audio is one piece
 * @param reportsHoles whether ffmpeg logs the holes that it fills, for `HoleReader`
 */
export function placedSound({
  latestMs,
  sampleRateHz,
  reportsHoles = false,
}: {
  latestMs: number;
  sampleRateHz: number;
  reportsHoles?: boolean;
}): string {
  const holeS = minHoleMs / second;
  // 0: where the audio before ended; 1: where this frame begins; 2: where it would begin without any hole.
  const placed = `st(1,max(min(PTS-STARTPTS,${latestMs / second}/TB),ld(0)))`;
  const report = `if(gt(ld(0),0)*gt(ld(1)-ld(2),${holeS}/TB),${reportHole};st(2,ld(1)));st(2,ld(2)+NB_SAMPLES/SR/TB)`;
  const steps = [placed, ...(reportsHoles ? [report] : []), 'st(0,ld(1)+NB_SAMPLES/SR/TB)', 'ld(1)'];
  return `asetpts='${steps.join(';')}',aresample=${sampleRateHz}:async=1:min_hard_comp=${holeS}`;
}

/** A hole in the timestamps of a file. `isSudden`: between two frames; otherwise the clocks drifted apart before it. */
export interface Hole {
  fromMs: number;
  toMs: number;
  isSudden: boolean;
}

/** Further holes of a file are filled, but not listed. */
export const maxHoles = 10_000;

const numberLine = /^-?\d+\.\d+$/;
/** A longer line is none of ours. */
const maxLineLength = 64;

/** Reads the holes that `placedSound` reports from ffmpeg's log, in bounded memory. */
export class HoleReader {
  #rest = '';
  #numbers: number[] | null = null;
  readonly holes: Hole[] = [];
  /** The length of all holes in ms, also of those that are not listed. */
  totalMs = 0;

  /** Reads the next part of the log. */
  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, maxLineLength);
    for (const line of lines) if (numberLine.test(line.trim())) this.#take(Number(line));
  }

  #take(value: number): void {
    if (value === holeMark) {
      this.#numbers = [];
      return;
    }
    this.#numbers?.push(value * second);
    const [fromMs, toMs, suddenMs] = this.#numbers ?? [];
    if (fromMs === undefined || toMs === undefined || suddenMs === undefined) return;
    this.#numbers = null;
    this.totalMs += toMs - fromMs;
    const isSudden = suddenMs > minHoleMs;
    if (this.holes.length < maxHoles)
      this.holes.push({ fromMs: isSudden ? toMs - suddenMs : fromMs, toMs, isSudden });
  }
}
