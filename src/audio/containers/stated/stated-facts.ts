/**
 * Why a browser may not play a file correctly although it knows container and codec.
 * - `no-length`, `no-index`: the file states no length, or no offsets of moments
 * - `several-streams`: several streams follow each other; players stop at the end of the first one, or lose their
 * position
 * - `late-start`: its first timestamp is not 0
 * - `edits`: an edit list plays several parts of the track, which browsers ignore
 * - `foreign-bytes`: bytes that are neither sound nor a tag precede the first or follow the last packet
 * - `layout`: most readers misread the layout of its samples
 * - `cut-short`: its header says less than the file holds, and most readers stop there
 * - `varying-rate`: players estimate the offset of a moment
 */
export type Obstacle =
  | 'no-length'
  | 'no-index'
  | 'several-streams'
  | 'late-start'
  | 'edits'
  | 'foreign-bytes'
  | 'layout'
  | 'cut-short'
  | 'varying-rate';

/** Facts stated by a file. `lengthsMs`: every length that a player might use. */
export interface StatedFacts {
  obstacles: Obstacle[];
  lengthsMs: number[];
  /** The names of the channels, in their order; empty or absent if none are stated. */
  channelNames?: string[];
}
