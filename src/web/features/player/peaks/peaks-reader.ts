import { tilePoints, type PeaksLayout, type PeaksSource } from './peaks-source.ts';
import { pointsBetween, tilesOf, type PointRange } from './tile-selection.ts';

export type PeaksStatus = 'loading' | 'ready' | 'failed';
/** The lowest and highest value (int8) in a range; null if nothing is loaded yet. */
export interface Extent {
  lowest: number;
  highest: number;
}

interface Wanted {
  level: number;
  index: number;
}

const maxTiles = 192;
const tileKey = ({ level, index }: Wanted): string => `${level}/${index}`;

/**
 * Caches the tiles on screen, at most 1.5 MB with the least recently used evicted, and aborts requests for tiles
 * that have scrolled away. Reads are synchronous: a coarser level is used until the finer one has loaded.
 */
export class PeaksReader {
  readonly #listeners = new Set<() => void>();
  readonly #tiles = new Map<string, Int8Array>();
  readonly #requests = new Map<string, AbortController>();
  readonly #viewers = new Map<string, readonly PointRange[]>();
  #revision = 0;
  #source: PeaksSource | null = null;
  #opening: AbortController | null = null;
  #layout: PeaksLayout | null = null;
  #status: PeaksStatus = 'loading';

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): PeaksStatus => this.#status;

  get layout(): PeaksLayout | null {
    return this.#layout;
  }

  /**
   * Switches to another source. If both show the same recording, the old data stays visible until the new source
   * has loaded.
   */
  async open(source: PeaksSource): Promise<void> {
    this.#opening?.abort();
    const opening = new AbortController();
    this.#opening = opening;
    if (this.#source?.key !== source.key) this.#drop();
    try {
      const layout = await source.layout();
      const coarsest = await source.tile(0, 0, opening.signal);
      if (opening.signal.aborted) return;
      this.#dropTiles();
      this.#source = source;
      this.#layout = layout;
      this.#status = 'ready';
      this.#store('0/0', coarsest);
    } catch {
      if (opening.signal.aborted) return;
      if (this.#layout === null) this.#status = 'failed';
    }
    this.#notify();
  }

  close(): void {
    this.#opening?.abort();
    this.#drop();
  }

  /** Increases with every change of the readable data. */
  get revision(): number {
    return this.#revision;
  }

  /** Sets the ranges that a viewer shows. Fetches their missing tiles and aborts requests that no viewer needs. */
  want(viewer: string, seen: readonly PointRange[]): void {
    this.#viewers.set(viewer, seen);
    const wanted = new Map(
      [...this.#viewers.values()].flat().flatMap((range) =>
        tilesOf(range).map((index) => {
          const tile = { level: range.level, index };
          return [tileKey(tile), tile] as const;
        }),
      ),
    );
    for (const [key, request] of this.#requests) {
      if (!wanted.has(key)) request.abort();
    }
    for (const [key, tile] of wanted) {
      const held = this.#tiles.get(key);
      if (held) this.#store(key, held);
      else if (!this.#requests.has(key)) void this.#fetch(key, tile);
    }
  }

  /**
   * The lowest and highest value in a time range, from the requested level or the finest coarser one that is
   * loaded.
   */
  extent(level: number, time: { fromMs: number; toMs: number }): Extent | null {
    let [lowest, highest] = [127, -128];
    const count = this.#forEachPoint(level, time, (low, high) => {
      lowest = Math.min(lowest, low);
      highest = Math.max(highest, high);
    });
    return count === 0 ? null : { lowest, highest };
  }

  /** The root mean square of the peaks in a time range, from the same levels as `extent`. */
  loudness(level: number, time: { fromMs: number; toMs: number }): number | null {
    let sum = 0;
    const count = this.#forEachPoint(level, time, (low, high) => {
      sum += Math.max(-low, high) ** 2;
    });
    return count === 0 ? null : Math.sqrt(sum / count);
  }

  /**
   * Visits the points of a range, from the requested level or the finest coarser one that is loaded. Returns their
   * number, 0 if nothing is loaded.
   */
  #forEachPoint(
    level: number,
    time: { fromMs: number; toMs: number },
    visit: (lowest: number, highest: number) => void,
  ): number {
    if (!this.#layout) return 0;
    for (let candidate = level; candidate >= 0; candidate--) {
      const range = pointsBetween(this.#layout, candidate, time);
      if (!this.#isLoaded(range)) continue;
      for (let point = range.from; point < range.to;) {
        const index = Math.floor(point / tilePoints);
        const tile = this.#tiles.get(tileKey({ level: candidate, index }));
        const end = Math.min(range.to, (index + 1) * tilePoints);
        for (; point < end; point++) {
          const inTile = (point - index * tilePoints) * 2;
          visit(tile?.[inTile] ?? 0, tile?.[inTile + 1] ?? 0);
        }
      }
      return range.to - range.from;
    }
    return 0;
  }

  #isLoaded(range: PointRange): boolean {
    const tiles = tilesOf(range);
    return (
      tiles.length > 0 && tiles.every((index) => this.#tiles.has(tileKey({ level: range.level, index })))
    );
  }

  async #fetch(key: string, { level, index }: Wanted): Promise<void> {
    const source = this.#source;
    if (!source) return;
    const request = new AbortController();
    this.#requests.set(key, request);
    try {
      const points = await source.tile(level, index, request.signal);
      if (!request.signal.aborted) this.#store(key, points);
    } catch {
      // A failed tile is requested again the next time it is visible; coarser points are used until then.
    }
    if (this.#requests.get(key) === request) this.#requests.delete(key);
    if (!request.signal.aborted && this.#tiles.has(key)) this.#notify();
  }

  #store(key: string, points: Int8Array): void {
    this.#tiles.delete(key);
    this.#tiles.set(key, points);
    for (const oldest of this.#tiles.keys()) {
      if (this.#tiles.size <= maxTiles) break;
      if (oldest !== '0/0') this.#tiles.delete(oldest);
    }
  }

  #dropTiles(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
    this.#tiles.clear();
    this.#viewers.clear();
  }

  #drop(): void {
    this.#dropTiles();
    this.#source = null;
    this.#layout = null;
    this.#status = 'loading';
  }

  #notify(): void {
    this.#revision += 1;
    for (const listener of this.#listeners) listener();
  }
}
