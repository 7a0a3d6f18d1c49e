import { second } from '#base/duration.ts';
import { observedEvents, type AudioElement, type PlayerDeps } from './audio-element.ts';
import {
  clampPosition, rates, statusOf, stepRate, type PlaybackFailure, type PlaybackSnapshot, type Track,
} from './playback-state.ts';

const haveMetadata = 1;
const mediaErrorDecode = 3;
/** Sound that ran this long after a recovery closes the episode: the next error may be recovered again. */
const episodeClosedAfterMs = 10 * second;
const publishEveryMs = 100;

/** Bytes that came and cannot be decoded, or that lie on this device: asking again brings nothing new. */
const isLost = ({ error }: AudioElement, { url }: Track): boolean => error?.code === mediaErrorDecode || url.startsWith('blob:');

/** The playback engine: one `<audio>` element outside React, and a store that tells what it does. */
export class Player {
  readonly #deps: PlayerDeps;
  readonly #listeners = new Set<() => void>();
  #element: AudioElement | null = null;
  #track: Track | null = null;
  #failure: PlaybackFailure | null = null;
  /** Where to go once the element knows its length. */
  #pendingMs: number | null = null;
  #stopAtMs: number | null = null;
  #recovering = false;
  #recoveredAtMs: number | null = null;
  /** The end of a growing recording was reached while listening: go on when there is more. */
  #awaitsMore = false;
  #ticking = false;
  #rate = 1;
  #snapshot: PlaybackSnapshot;

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
    this.#snapshot = { track: null, status: 'empty', positionMs: 0, durationMs: 0, rate: 1, volume: deps.volume.read(), muted: false, failure: null };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): PlaybackSnapshot => this.#snapshot;

  /** The exact position, read off the element: for drawing each frame. */
  positionMs(): number {
    return this.#pendingMs ?? (this.#element?.currentTime ?? 0) * second;
  }

  durationMs(): number {
    if (this.#track && this.#track.durationMs > 0) return this.#track.durationMs;
    const { duration = Number.NaN } = this.#element ?? {};
    return Number.isFinite(duration) ? duration * second : 0;
  }

  /** Puts a track in, or brings the one that is in up to date without touching the sound. */
  open(track: Track, startAtMs: number | null = null): void {
    const before = this.#track;
    this.#track = track;
    if (before?.id !== track.id) {
      this.#stopAtMs = null;
      this.#load(startAtMs ?? 0, false);
      return;
    }
    if (before.url !== track.url && this.#audio().paused) this.#load(this.positionMs(), false);
    if (this.#awaitsMore && track.durationMs > this.positionMs() + second) this.#load(this.positionMs(), true);
    if (startAtMs !== null) this.seek(startAtMs);
    this.#publish();
  }

  play(): void {
    if (!this.#track) return;
    if (this.#failure) {
      this.retry();
      return;
    }
    if (this.#element?.ended === true) this.#go(0);
    // A refusal (no gesture yet, a newer load) leaves the element paused, and the store says so.
    this.#audio().play().then(() => this.#publish(), () => this.#publish());
  }

  pause(): void {
    this.#awaitsMore = false;
    this.#element?.pause();
    this.#publish();
  }

  toggle(): void {
    const { status } = this.#snapshot;
    if (status === 'playing' || status === 'waiting') this.pause();
    else this.play();
  }

  seek(toMs: number): void {
    this.#stopAtMs = null;
    this.#awaitsMore = false;
    this.#go(clampPosition(toMs, this.durationMs()));
    this.#publish();
  }

  skip(byMs: number): void {
    this.seek(this.positionMs() + byMs);
  }

  /** Goes to a moment and, when played, pauses at the end of its stretch. */
  seekRange(fromMs: number, toMs: number | null): void {
    this.seek(fromMs);
    this.#stopAtMs = toMs;
  }

  setRate(rate: number): void {
    this.#rate = Math.min(Math.max(rate, rates[0]), rates[rates.length - 1] ?? 1);
    this.#applyRate();
    this.#publish();
  }

  stepRate(direction: 1 | -1): void {
    this.setRate(stepRate(this.#rate, direction));
  }

  /** @param volume 0 to 1; turning it up also ends muting */
  setVolume(volume: number): void {
    const audio = this.#audio();
    audio.volume = Math.min(Math.max(Math.round(volume * 100) / 100, 0), 1);
    if (audio.volume > 0) audio.muted = false;
    this.#deps.volume.write(audio.volume);
    this.#publish();
  }

  toggleMuted(): void {
    const audio = this.#audio();
    audio.muted = !audio.muted;
    this.#publish();
  }

  /** Loads the track again where it was, and plays on: for the person who pressed "Try again". */
  retry(): void {
    this.#recoveredAtMs = null;
    this.#load(this.positionMs(), true);
  }

  #audio(): AudioElement {
    if (this.#element) return this.#element;
    const element = this.#deps.createElement();
    this.#element = element;
    element.preload = 'metadata';
    element.volume = this.#deps.volume.read();
    for (const name of observedEvents) element.addEventListener(name, () => this.#observe());
    element.addEventListener('loadedmetadata', () => this.#arrive());
    element.addEventListener('ended', () => this.#end());
    element.addEventListener('error', () => void this.#recover());
    return element;
  }

  #load(atMs: number, thenPlay: boolean): void {
    if (!this.#track) return;
    const audio = this.#audio();
    this.#failure = null;
    this.#awaitsMore = false;
    this.#pendingMs = atMs;
    audio.src = this.#track.url;
    audio.load();
    this.#applyRate();
    if (thenPlay) this.play();
    this.#publish();
  }

  #applyRate(): void {
    const audio = this.#audio();
    audio.preservesPitch = true;
    audio.defaultPlaybackRate = this.#rate;
    audio.playbackRate = this.#rate;
  }

  #go(toMs: number): void {
    const audio = this.#audio();
    const beyondLoaded = this.#track?.growing === true && toMs > audio.duration * second + publishEveryMs;
    if (beyondLoaded) this.#load(toMs, !audio.paused);
    else if (audio.readyState < haveMetadata) this.#pendingMs = toMs;
    else audio.currentTime = toMs / second;
  }

  #arrive(): void {
    const toMs = this.#pendingMs;
    this.#pendingMs = null;
    if (toMs !== null && toMs > 0) this.#audio().currentTime = toMs / second;
    this.#publish();
  }

  #end(): void {
    this.#awaitsMore = this.#track?.growing === true;
    this.#publish();
  }

  #observe(): void {
    const atMs = this.positionMs();
    if (this.#stopAtMs !== null && atMs >= this.#stopAtMs) {
      this.#stopAtMs = null;
      this.#element?.pause();
    }
    if (this.#recoveredAtMs !== null && Math.abs(atMs - this.#recoveredAtMs) > episodeClosedAfterMs) this.#recoveredAtMs = null;
    this.#publish();
    if (this.#snapshot.status === 'playing') this.#tick();
  }

  #tick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    this.#deps.requestFrame(() => {
      this.#ticking = false;
      const moved = Math.abs(this.positionMs() - this.#snapshot.positionMs) >= publishEveryMs;
      if (moved) this.#observe();
      else if (this.#snapshot.status === 'playing') this.#tick();
    });
  }

  /** An element hides why it failed (a 401 looks like a broken line), so two bytes are asked for where a sign-in can be waited for; once per episode. */
  async #recover(): Promise<void> {
    const [audio, track, atMs] = [this.#audio(), this.#track, this.positionMs()];
    if (!track || this.#recovering) return;
    const wasPlaying = !audio.paused;
    const isUndecodable = isLost(audio, track);
    if (isUndecodable || this.#recoveredAtMs !== null) {
      this.#fail(isUndecodable ? 'unplayable' : 'network', atMs);
      return;
    }
    this.#recovering = true;
    this.#recoveredAtMs = atMs;
    this.#pendingMs = atMs;
    this.#publish();
    const hasCome = await this.#probe(track, atMs);
    this.#recovering = false;
    if (this.#track?.id !== track.id) this.#publish();
    else if (hasCome) this.#load(this.positionMs(), wasPlaying);
    else this.#fail('network', this.positionMs());
  }

  /** Asks for the bytes about where the sound broke off. */
  #probe(track: Track, atMs: number): Promise<boolean> {
    const share = this.durationMs() > 0 ? atMs / this.durationMs() : 0;
    return this.#deps.probe(track.url, Math.floor(Math.min(share, 0.99) * track.sizeBytes)).catch(() => false);
  }

  #fail(failure: PlaybackFailure, atMs: number): void {
    this.#failure = failure;
    this.#pendingMs = atMs;
    this.#publish();
  }

  #publish(): void {
    const { paused = true, ended = false, readyState = 0, volume = this.#snapshot.volume, muted = false } = this.#element ?? {};
    const facts = { hasTrack: this.#track !== null, failed: this.#failure !== null, recovering: this.#recovering || this.#awaitsMore };
    this.#snapshot = {
      track: this.#track, failure: this.#failure, rate: this.#rate, volume, muted,
      status: statusOf({ paused, ended, readyState }, facts), positionMs: this.positionMs(), durationMs: this.durationMs(),
    };
    for (const listener of this.#listeners) listener();
  }
}
