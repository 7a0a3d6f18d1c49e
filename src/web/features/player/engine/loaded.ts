import { second } from '#base/duration.ts';
import { audioSectionCount } from '#contract/audio-sections.ts';
import type { Track } from './playback-state.ts';

/**
 * New audio shorter than this does not justify another load. Once the track is complete, even a short rest does.
 */
const minNewAudioMs = { growing: second, whole: 100 };
/** The duration that an element reports may be this much shorter than the audio it plays. */
const lengthToleranceMs = 100;

/** The file that an element loads to play a moment: its URL, and the track position at which its audio starts. */
interface Section {
  url: string;
  startMs: number;
}

const whole = ({ url }: Track): Section => ({ url, startMs: 0 });

/** The section that contains a moment. A track of one section is loaded whole. */
function sectionAt(track: Track, atMs: number): Section {
  const { sections, durationMs } = track;
  if (sections === null) return whole(track);
  const count = audioSectionCount(durationMs, sections.eachMs);
  if (count === 1) return whole(track);
  const index = Math.min(count - 1, Math.max(0, Math.floor(atMs / sections.eachMs)));
  return { url: sections.urlOf(index), startMs: index * sections.eachMs };
}

/** Start of the section after the one at `startMs`; null after the last one. */
function nextSectionStartMs(track: Track, startMs: number): number | null {
  const { sections, durationMs } = track;
  if (sections === null) return null;
  const nextStartMs = startMs + sections.eachMs;
  return nextStartMs < audioSectionCount(durationMs, sections.eachMs) * sections.eachMs ? nextStartMs : null;
}

/** The loaded part of a track: a section, or the audio that a live track had when it was loaded. */
export class Loaded {
  #from = '';
  #startMs = 0;
  #loadedAtMs = 0;
  #isPart = false;
  #isAwaited = false;
  #isOver = false;

  /** The track position at which the loaded audio starts. */
  get startMs(): number {
    return this.#startMs;
  }

  /** Whether it is of the track's present source, and not of the one that the track had before. */
  isFrom({ url }: Track): boolean {
    return this.#from === url;
  }

  /** Whether playback has reached the end of the loaded audio and waits for more. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Whether playback has reached the end and no more audio follows. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Records that the track is loaded to play from `atMs`, and returns the URL. A live track gets a URL per length,
   * because the browser would reuse the cached, shorter file.
   */
  load(track: Track, atMs: number): string {
    const { url, startMs } = sectionAt(track, atMs);
    this.#from = track.url;
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

  /** Whether a moment is outside the loaded audio. `durationMs` is the duration that the element reports. */
  lacks(track: Track | null, toMs: number, durationMs: number): boolean {
    const isElsewhere = track !== null && sectionAt(track, toMs).startMs !== this.#startMs;
    return isElsewhere || (this.#isPart && toMs > this.#startMs + durationMs + lengthToleranceMs);
  }

  /** Whether the loaded audio is the last section of the track. */
  isLast(track: Track | null): boolean {
    return track === null || nextSectionStartMs(track, this.#startMs) === null;
  }

  /** Stops waiting for more audio. */
  forget(): void {
    this.#isAwaited = false;
  }

  /** Playback is no longer at the end. */
  left(): void {
    this.#isOver = false;
  }

  /**
   * Handles the end of the loaded audio at `atMs`. Returns where to continue: the next section, or audio that has
   * arrived since; null if there is none yet, or the track is over. After a load that brought nothing new,
   * playback waits instead of loading again.
   */
  ended(track: Track, atMs: number): number | null {
    const nextMs = nextSectionStartMs(track, this.#startMs);
    const isTried = this.isFrom(track) && atMs <= this.#loadedAtMs + second;
    const isPart = this.#isPart || !this.isFrom(track);
    const hasMore = isPart && track.durationMs > atMs + worthLoadingMs(track) && !isTried;
    // In a live track, the rest of this section may have arrived after it was loaded.
    if (nextMs !== null && !(hasMore && atMs < nextMs - worthLoadingMs(track))) return nextMs;
    this.#isAwaited = track.growing && !hasMore;
    this.#isOver = !track.growing && !hasMore;
    return hasMore ? atMs : null;
  }

  /**
   * Updates the state for the track's new length. Returns true if the audio that playback waits for has arrived.
   * Stops waiting if the track is complete.
   */
  grown(track: Track, atMs: number): boolean {
    const hasCome = this.#isAwaited && track.durationMs > atMs + worthLoadingMs(track);
    this.#isOver ||= this.#isAwaited && !hasCome && !track.growing;
    this.#isAwaited &&= track.growing;
    return hasCome;
  }
}

const worthLoadingMs = ({ growing }: Track): number =>
  growing ? minNewAudioMs.growing : minNewAudioMs.whole;
