import { peaksFormat } from '#contract/limits.ts';
import type { Gap } from '#contract/recordings.ts';

const ringPoints = 60 * peaksFormat.pointsPerSecond;
/** Marks points without captured audio in the ring. It exceeds every possible peak (at most 128). */
const gapPoint = 255;
const pointAt = (ms: number) => Math.round((ms * peaksFormat.pointsPerSecond) / 1000);

export interface MeterLevel {
  peak: number;
  rms: number;
  clippedAtMs: number | null;
}

/** The last minute of peaks and the current level. Animation frames read it directly, without React. */
export interface LivePeaks {
  push: (points: Int8Array) => void;
  setLevel: (level: { peak: number; rms: number; clipped: boolean }, nowMs: number) => void;
  /** Resets the ring for a take that is already `atMs` long. */
  start: (atMs: number) => void;
  /** Fills gaps with empty points, so that later audio is drawn at the right time. Idempotent. */
  markGaps: (gaps: readonly Gap[]) => void;
  /** The number of points since the take started. The last minute of them can be read. */
  count: () => number;
  /** The largest amplitude, 0–1, of the points `from` ≤ i < `to`. */
  loudest: (from: number, to: number) => number;
  /** Whether any of the points `from` ≤ i < `to` is missing. */
  isGap: (from: number, to: number) => boolean;
  level: () => MeterLevel;
}

export function createLivePeaks(): LivePeaks {
  const ring = new Uint8Array(ringPoints);
  const silence: MeterLevel = { peak: 0, rms: 0, clippedAtMs: null };
  let written = 0;
  const write = (value: number) => {
    ring[written % ringPoints] = value;
    written += 1;
  };
  function* pointsOf(from: number, to: number) {
    for (let i = Math.max(0, from, written - ringPoints); i < Math.min(to, written); i += 1)
      yield ring[i % ringPoints] ?? 0;
  }
  let level = silence;
  return {
    push: (points) => {
      for (let i = 0; i + 1 < points.length; i += 2) {
        write(Math.max(-(points[i] ?? 0), points[i + 1] ?? 0, 0));
      }
    },
    markGaps: (gaps) => {
      for (const { atMs, durationMs } of gaps) {
        const [from, to] = [pointAt(atMs), pointAt(atMs + durationMs)];
        if (to - written > ringPoints) written = to - ringPoints;
        while (written < to) write(gapPoint);
        for (let i = Math.max(from, written - ringPoints); i < to; i += 1) ring[i % ringPoints] = gapPoint;
      }
    },
    setLevel: ({ peak, rms, clipped }, nowMs) => {
      level = { peak, rms, clippedAtMs: clipped ? nowMs : level.clippedAtMs };
    },
    start: (atMs) => {
      ring.fill(0);
      written = pointAt(atMs);
      level = silence;
    },
    count: () => written,
    loudest: (from, to) => {
      let loudest = 0;
      for (const point of pointsOf(from, to)) if (point !== gapPoint) loudest = Math.max(loudest, point);
      return Math.min(1, loudest / 127);
    },
    isGap: (from, to) => {
      for (const point of pointsOf(from, to)) if (point === gapPoint) return true;
      return false;
    },
    level: () => level,
  };
}
