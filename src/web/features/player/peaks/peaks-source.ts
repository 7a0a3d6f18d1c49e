/** One resolution of the pyramid. */
interface PeaksLevel {
  points: number;
  pointsPerSecond: number;
}

/** What a recording's peaks consist of; levels are ordered coarsest first. */
export interface PeaksLayout {
  /** Points of the finest level. */
  points: number;
  levels: readonly PeaksLevel[];
}

/** How many points a tile holds, the last one of a level excepted. */
export const tilePoints = 4096;

/** Where a waveform comes from: a server, by byte range, or this device's memory. */
export interface PeaksSource {
  /** Two sources with one key show the same recording; a growing one keeps its key. */
  key: string;
  layout(): Promise<PeaksLayout>;
  /** Points `index * tilePoints` and on of one level, each a minimum and a maximum (int8). */
  tile(level: number, index: number, signal: AbortSignal): Promise<Int8Array>;
  /** Points `from` to `to` (exclusive) of the finest level. */
  finest(range: { from: number; to: number }, signal: AbortSignal): Promise<Int8Array>;
}
