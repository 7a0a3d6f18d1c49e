import { peaksFormat } from '#contract/limits.ts';

const keptPoints = 60 * peaksFormat.pointsPerSecond;

export interface Level { peak: number; rms: number; clippedAtMs: number | null }

/** The last minute of peaks and the present level, for drawing; read in animation frames, never through React. */
export interface LivePeaks {
  push: (points: Int8Array) => void;
  setLevel: (level: { peak: number; rms: number; clipped: boolean }, nowMs: number) => void;
  clear: () => void;
  /** Points since the take began; the last minute of them can be read. */
  count: () => number;
  /** Loudest excursion, 0–1, of the points `from` ≤ i < `to`. */
  loudest: (from: number, to: number) => number;
  level: () => Level;
}

export function createLivePeaks(): LivePeaks {
  const ring = new Uint8Array(keptPoints);
  const silence: Level = { peak: 0, rms: 0, clippedAtMs: null };
  let written = 0;
  let level = silence;
  return {
    push: (points) => {
      for (let i = 0; i + 1 < points.length; i += 2) {
        ring[written % keptPoints] = Math.max(-(points[i] ?? 0), points[i + 1] ?? 0, 0);
        written += 1;
      }
    },
    setLevel: ({ peak, rms, clipped }, nowMs) => { level = { peak, rms, clippedAtMs: clipped ? nowMs : level.clippedAtMs }; },
    clear: () => { written = 0; level = silence; },
    count: () => written,
    loudest: (from, to) => {
      let loudest = 0;
      for (let i = Math.max(0, from, written - keptPoints); i < Math.min(to, written); i += 1) loudest = Math.max(loudest, ring[i % keptPoints] ?? 0);
      return Math.min(1, loudest / 127);
    },
    level: () => level,
  };
}
