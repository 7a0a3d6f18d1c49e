import { second } from '#base/duration.ts';
import { audioSectionCount } from '#contract/audio-sections.ts';
import type { AudioPart, Track } from './playback-state.ts';

/** New audio shorter than this does not justify another load: each load of a live track can be heard. */
const minNewAudioMs = { growing: 2 * second, whole: 100 };
/** So long before the end of the loaded audio, another element loads what follows. */
const loadAheadMs = 4 * second;
/** The length and the position that an element reports may be this far from those of the audio that it plays. */
const lengthToleranceMs = 100;

/**
 * The audio that an element loads to play a moment: a section, or the whole of a track with one section. A live track
 * gets a URL per length, because the browser would reuse the cached, shorter file.
 */
function partAt({ url, sections, durationMs, growing }: Track, atMs: number): AudioPart {
  const eachMs = sections?.eachMs ?? Infinity;
  const count = audioSectionCount(durationMs, eachMs);
  const index = Math.min(count - 1, Math.max(0, Math.floor(atMs / eachMs)));
  const partUrl = sections !== null && count > 1 ? sections.urlOf(index) : url;
  return {
    url:
      growing && !partUrl.startsWith('blob:')
        ? `${partUrl}${partUrl.includes('?') ? '&' : '?'}until=${Math.floor(durationMs)}`
        : partUrl,
    startMs: index === 0 ? 0 : index * eachMs,
    endMs: index === count - 1 ? durationMs : (index + 1) * eachMs,
    isShort: growing,
  };
}

/** Start of the section after the one at `startMs`; null after the last one. */
function nextSectionStartMs({ sections, durationMs }: Track, startMs: number): number | null {
  if (sections === null) return null;
  const nextStartMs = startMs + sections.eachMs;
  return nextStartMs < audioSectionCount(durationMs, sections.eachMs) * sections.eachMs ? nextStartMs : null;
}

const noPart: AudioPart = { url: '', startMs: 0, endMs: 0, isShort: false };

/** The loaded part of a track: a section, its first seconds, or the audio that a live track had when it was loaded. */
export class Loaded {
  #from = '';
  #part = noPart;
  #loadedAtMs = 0;
  #isAwaited = false;
  #isOver = false;

  /** The track position at which the loaded audio starts. */
  get startMs(): number {
    return this.#part.startMs;
  }

  /** The track position at which the loaded audio is stated to end. */
  get endMs(): number {
    return this.#part.endMs;
  }

  /** Whether it is this part. */
  is({ url }: AudioPart): boolean {
    return this.#part.url === url;
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

  /** Records that the track is loaded to play from `atMs`, and returns the URL. */
  load(track: Track, atMs: number, part = partAt(track, atMs)): string {
    [this.#from, this.#part, this.#loadedAtMs] = [track.url, part, atMs];
    [this.#isAwaited, this.#isOver] = [false, false];
    return part.url;
  }

  /** Whether a moment is outside the loaded audio. `durationMs` is the length that the element reports, or NaN. */
  lacks(track: Track | null, toMs: number, durationMs: number): boolean {
    const { startMs, endMs, isShort } = this.#part;
    const isElsewhere = track !== null && partAt(track, toMs).startMs !== startMs;
    const knownEndMs = Number.isNaN(durationMs) ? endMs : startMs + durationMs;
    return isElsewhere || (isShort && toMs > knownEndMs + lengthToleranceMs);
  }

  /** Whether the loaded audio is the last section of the track. */
  isLast(track: Track | null): boolean {
    return track === null || nextSectionStartMs(track, this.startMs) === null;
  }

  /**
   * The position at the end of the loaded audio. That of a browser may be some milliseconds off, which at the end of a
   * section is in the wrong one.
   */
  endAt(atMs: number): number {
    return Math.abs(atMs - this.endMs) <= lengthToleranceMs ? this.endMs : atMs;
  }

  /** What continues at the end of the loaded audio; null until that is near, and there is enough for a load. */
  next(track: Track, atMs: number): AudioPart | null {
    const isWorthLoading = track.durationMs - this.endMs > worthLoadingMs(track);
    const isDue = this.endMs - atMs < loadAheadMs && isWorthLoading;
    return this.isFrom(track) && isDue ? partAt(track, this.endMs) : null;
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
    const nextMs = nextSectionStartMs(track, this.startMs);
    const isTried = this.isFrom(track) && atMs <= this.#loadedAtMs + second;
    const isShort = this.#part.isShort || !this.isFrom(track);
    const hasMore = isShort && track.durationMs > atMs + worthLoadingMs(track) && !isTried;
    // In a live track, the rest of this section may have arrived after it was loaded.
    if (nextMs !== null && !(hasMore && atMs < nextMs - minNewAudioMs.whole)) return nextMs;
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
