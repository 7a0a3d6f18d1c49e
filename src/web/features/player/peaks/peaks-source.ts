/** One resolution of the pyramid. */
interface PeaksLevel {
  points: number;
  pointsPerSecond: number;
}

/** The structure of a recording's peaks. Levels are ordered from coarse to fine. */
export interface PeaksLayout {
  /** Number of points of the finest level. */
  points: number;
  levels: readonly PeaksLevel[];
}

/** Points per tile; the last tile of a level may have fewer. */
export const tilePoints = 4096;

/** A source of peaks: the server, by byte range, or the memory of this device. */
export interface PeaksSource {
  /** Sources with the same key show the same recording; a live recording keeps its key. */
  key: string;
  layout(): Promise<PeaksLayout>;
  /** Points of one level from `index * tilePoints`, each a minimum and a maximum (int8). */
  tile(level: number, index: number, signal: AbortSignal): Promise<Int8Array>;
  /** Points `from` to `to` (exclusive) of the finest level. */
  finest(range: { from: number; to: number }, signal: AbortSignal): Promise<Int8Array>;
}
