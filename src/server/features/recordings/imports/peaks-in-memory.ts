import { second, hour } from '#base/duration.ts';
import { peaksFormat } from '#contract/limits.ts';
import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';

/** The most peaks that are held: 17 MB. */
const maxPoints = ((24 * hour) / second) * peaksFormat.pointsPerSecond;

/** Peaks that are held in memory. */
export interface PeaksInMemory {
  /** Adds pieces of peaks; more than 24 hours of them are not held. */
  add: (bytes: Uint8Array) => void;
  source: () => PointSource;
}

/** Holds the peaks of a sound of up to 24 hours. */
export function peaksInMemory(): PeaksInMemory {
  let bytes = new Int8Array(0);
  let filled = 0;
  return {
    add(piece) {
      const max = maxPoints * peaksFormat.bytesPerPoint;
      const taken = piece.subarray(0, max - filled);
      if (filled + taken.length > bytes.length) {
        const wider = new Int8Array(Math.min(max, Math.max(64 * 1024, 2 * (filled + taken.length))));
        wider.set(bytes);
        bytes = wider;
      }
      bytes.set(new Int8Array(taken.buffer, taken.byteOffset, taken.byteLength), filled);
      filled += taken.length;
    },
    source: () => ({
      points: filled / peaksFormat.bytesPerPoint,
      read: async (startPoint, endPointExclusive) =>
        bytes.slice(startPoint * peaksFormat.bytesPerPoint, endPointExclusive * peaksFormat.bytesPerPoint),
    }),
  };
}
