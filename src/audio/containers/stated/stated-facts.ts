/**
 * Why a browser may not play a file rightly although it knows container and codec.
 * - `no-length`, `no-index`: the file states no length, or not where a moment lies in it
 * - `several-streams`: several streams follow each other; players stop at the end of the first one, or lose their place
 * - `late-start`: its first timestamp is not 0
 * - `edits`: an edit list plays more than one part of the track, which browsers ignore
 * - `foreign-bytes`: bytes that are no sound stand before the first or behind the last packet, outside of any tag
 * - `layout`: samples lie in it in another way than most readers believe
 * - `varying-rate`: players guess where a moment lies
 */
export type Obstacle =
  | 'no-length'
  | 'no-index'
  | 'several-streams'
  | 'late-start'
  | 'edits'
  | 'foreign-bytes'
  | 'layout'
  | 'varying-rate';

/** What a file states of itself. `lengthsMs`: every length that a player might believe. */
export interface StatedFacts {
  obstacles: Obstacle[];
  lengthsMs: number[];
}
