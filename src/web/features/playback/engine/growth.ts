import { second } from '#base/duration.ts';
import type { Track } from './playback-state.ts';

/** So much more is worth loading again while it grows; of what is whole, the last bit too. */
const worthMs = { growing: second, whole: 100 };

/** What a recording that grows has beyond what was loaded of it. */
export class Growth {
  #loadedAtMs = 0;
  #isPart = false;
  #isAwaited = false;
  #isOver = false;

  /** Whether there may be more than was loaded. */
  get isPart(): boolean {
    return this.#isPart;
  }

  /** Whether the end of what was loaded was reached, and more is waited for. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Whether the end was reached, and nothing comes after it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Notes that a track is loaded to be heard from `atMs` on; answers with its address, another one for every length: a browser takes what it had under the same. */
  load(track: Track, atMs: number): string {
    [this.#loadedAtMs, this.#isPart, this.#isAwaited, this.#isOver] = [atMs, track.growing, false, false];
    return track.growing && !track.url.startsWith('blob:') ? `${track.url}?until=${Math.round(track.durationMs)}` : track.url;
  }

  /** Nobody listens any more. */
  forget(): void {
    this.#isAwaited = false;
  }

  /** The sound is elsewhere than at the end. */
  left(): void {
    this.#isOver = false;
  }

  /** The sound ended at `atMs`. True where more is there by now; one load that brought nothing is not followed by another at once. */
  ended(track: Track, atMs: number): boolean {
    const hasMore = this.#isPart && track.durationMs > atMs + worthOf(track) && atMs > this.#loadedAtMs + second;
    this.#isAwaited = track.growing && !hasMore;
    this.#isOver = !track.growing && !hasMore;
    return hasMore;
  }

  /** The track is as long as it says now. True where what was waited for has come; a track that is whole is waited for no longer. */
  grown(track: Track, atMs: number): boolean {
    const hasCome = this.#isAwaited && track.durationMs > atMs + worthOf(track);
    this.#isOver ||= this.#isAwaited && !hasCome && !track.growing;
    this.#isAwaited &&= track.growing;
    return hasCome;
  }
}

const worthOf = ({ growing }: Track): number => (growing ? worthMs.growing : worthMs.whole);
