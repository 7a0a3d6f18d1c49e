import { second } from '#base/duration.ts';
import { audioSectionCount } from '#contract/audio-sections.ts';
import type { Track } from './playback-state.ts';

/** So much more is worth loading again while it grows; of what is whole, the last bit too. */
const worthMs = { growing: second, whole: 100 };
/** An element's own length may lack so much of what it plays. */
const lengthToleranceMs = 100;

/**
 * What an element loads to play a moment: an address, and the moment of the track at which its sound begins.
 */
interface Section {
  url: string;
  startMs: number;
}

const whole = ({ url }: Track): Section => ({ url, startMs: 0 });

/** The section of a track in which a moment lies. A track that is short enough is one section. */
function sectionAt(track: Track, atMs: number): Section {
  const { sections, durationMs } = track;
  if (sections === null) return whole(track);
  const count = audioSectionCount(durationMs, sections.eachMs);
  if (count === 1) return whole(track);
  const index = Math.min(count - 1, Math.max(0, Math.floor(atMs / sections.eachMs)));
  return { url: sections.urlOf(index), startMs: index * sections.eachMs };
}

/** Where the section begins that follows the one at `startMs`; null behind the last one. */
function nextSectionStartMs(track: Track, startMs: number): number | null {
  const { sections, durationMs } = track;
  if (sections === null) return null;
  const nextStartMs = startMs + sections.eachMs;
  return nextStartMs < audioSectionCount(durationMs, sections.eachMs) * sections.eachMs ? nextStartMs : null;
}

/** What was loaded of a track: a section of it, or what a growing one had. */
export class Loaded {
  #startMs = 0;
  #loadedAtMs = 0;
  #isPart = false;
  #isAwaited = false;
  #isOver = false;

  /** The moment of the track at which the loaded sound begins. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Whether the end of what was loaded was reached, and more is waited for. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Whether the end was reached, and nothing comes after it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Notes that a track is loaded to play from `atMs` on; answers with its address, another one for every
   * length: a browser takes what it had under the same.
   */
  load(track: Track, atMs: number): string {
    const { url, startMs } = sectionAt(track, atMs);
    [this.#startMs, this.#loadedAtMs, this.#isPart, this.#isAwaited, this.#isOver] = [
      startMs,
      atMs,
      track.growing,
      false,
      false,
    ];
    return track.growing && !url.startsWith('blob:')
      ? `${url}${url.includes('?') ? '&' : '?'}until=${Math.round(track.durationMs)}`
      : url;
  }

  /** Whether a moment lies outside of what was loaded. `durationMs`: as the element has it. */
  lacks(track: Track | null, toMs: number, durationMs: number): boolean {
    const isElsewhere = track !== null && sectionAt(track, toMs).startMs !== this.#startMs;
    return isElsewhere || (this.#isPart && toMs > this.#startMs + durationMs + lengthToleranceMs);
  }

  /** Whether no section of the track follows what was loaded. */
  isLast(track: Track | null): boolean {
    return track === null || nextSectionStartMs(track, this.#startMs) === null;
  }

  /** Nobody listens any more. */
  forget(): void {
    this.#isAwaited = false;
  }

  /** The sound is elsewhere than at the end. */
  left(): void {
    this.#isOver = false;
  }

  /**
   * The sound ended at `atMs`. Where it goes on: the next section, or more that is there by now; null where
   * it does not go on yet, or never. One load that brought nothing is not followed by another at once.
   */
  ended(track: Track, atMs: number): number | null {
    const nextMs = nextSectionStartMs(track, this.#startMs);
    const hasMore =
      this.#isPart && track.durationMs > atMs + worthOf(track) && atMs > this.#loadedAtMs + second;
    // Of a growing track the end of this section may have come only after it was loaded.
    if (nextMs !== null && !(hasMore && atMs < nextMs - worthOf(track))) return nextMs;
    this.#isAwaited = track.growing && !hasMore;
    this.#isOver = !track.growing && !hasMore;
    return hasMore ? atMs : null;
  }

  /**
   * The track is as long as it says now. True where what was waited for has come; a track that is whole is
   * waited for no longer.
   */
  grown(track: Track, atMs: number): boolean {
    const hasCome = this.#isAwaited && track.durationMs > atMs + worthOf(track);
    this.#isOver ||= this.#isAwaited && !hasCome && !track.growing;
    this.#isAwaited &&= track.growing;
    return hasCome;
  }
}

const worthOf = ({ growing }: Track): number => (growing ? worthMs.growing : worthMs.whole);
