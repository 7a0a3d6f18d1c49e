import { second } from '#base/duration.ts';
import { createStore, type Store, type WritableStore } from '#base/store.ts';
import { byteAt, isLost, observedEvents, type AudioElement, type PlayerDeps } from './audio-element.ts';
import { PlaybackRules, type SkipPlace } from './playback-rules.ts';
import { Loaded } from './loaded.ts';
import {
  clampPosition,
  statusOf,
  stepRate,
  type PlaybackFailure,
  type PlaybackSnapshot,
  type Track,
} from './playback-state.ts';
import type { SoundSelection } from './selection.ts';
import { Sound } from './sound.ts';

const haveMetadata = 1;
/** Sound that ran this long after a recovery closes the episode: the next error may be recovered again. */
const episodeClosedAfterMs = 10 * second;
const publishEveryMs = 100;

/** The playback engine: one `<audio>` element outside React, and a store that tells what it does. */
export class Player {
  readonly #deps: PlayerDeps;
  #element: AudioElement | null = null;
  #track: Track | null = null;
  #failure: PlaybackFailure | null = null;
  /** Where to go once the element knows its length. */
  #pendingMs: number | null = null;
  /** The line is asked about; whether it plays on afterwards may change until then. Another load ends it. */
  #recovery: { thenPlay: boolean } | null = null;
  #recoveredAtMs: number | null = null;
  readonly #loaded = new Loaded();
  #ticking = false;
  readonly #course: PlaybackRules;
  readonly #sound: Sound;
  readonly #state: WritableStore<PlaybackSnapshot>;
  readonly subscribe: Store<PlaybackSnapshot>['subscribe'];
  readonly getSnapshot: Store<PlaybackSnapshot>['getSnapshot'];

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
    this.#course = new PlaybackRules(deps.skipsGaps.read());
    this.#sound = new Sound(deps.volume.read());
    this.#state = createStore<PlaybackSnapshot>({
      track: null,
      status: 'empty',
      positionMs: 0,
      durationMs: 0,
      failure: null,
      ...this.#sound.chosen,
      ...this.#course.facts(0),
    });
    ({ subscribe: this.subscribe, getSnapshot: this.getSnapshot } = this.#state);
  }

  /** The exact position, read off the element: for drawing each frame. */
  positionMs(): number {
    return this.#pendingMs ?? this.#loaded.startMs + (this.#element?.currentTime ?? 0) * second;
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
    this.#course.setGaps(track.gaps);
    if (before?.id !== track.id) {
      this.#course.start();
      this.#load(startAtMs ?? 0, false);
      return;
    }
    if (before.url !== track.url && this.#audio().paused) this.#load(this.positionMs(), false);
    if (this.#loaded.grown(track, this.positionMs())) this.#load(this.positionMs(), true);
    if (startAtMs !== null) this.seek(startAtMs);
    this.#publish();
  }

  /** Takes the track out: silence, and nothing to play. */
  close(): void {
    [this.#track, this.#failure, this.#recovery] = [null, null, null];
    this.pause();
  }

  play(): void {
    if (!this.#track) return;
    if (this.#failure) return this.retry();
    if (this.#recovery) this.#recovery.thenPlay = true;
    else if (this.#element?.ended === true) {
      if (this.#goesOn()) return;
      this.#go(0);
    }
    // A refusal (no gesture yet, a newer load) leaves the element paused, and the store says so.
    this.#audio()
      .play()
      .then(
        () => this.#publish(),
        () => this.#publish(),
      );
  }

  pause(): void {
    this.#loaded.forget();
    if (this.#recovery) this.#recovery.thenPlay = false;
    this.#element?.pause();
    this.#publish();
  }

  toggle(): void {
    const { status } = this.getSnapshot();
    if (status === 'playing' || status === 'waiting') this.pause();
    else this.play();
  }

  seek(toMs: number): void {
    this.#course.moved(toMs);
    this.#go(clampPosition(toMs, this.durationMs()));
    if (this.#loaded.isAwaited && !this.#audio().ended) {
      this.#loaded.forget();
      this.play();
    }
    this.#publish();
  }

  skip(byMs: number): void {
    this.seek(this.positionMs() + byMs);
  }

  /** Goes to a moment and, when played, pauses at the end of its stretch. */
  seekRange(fromMs: number, toMs: number | null): void {
    this.seek(fromMs);
    this.#course.setStop(toMs);
  }

  setRate(rate: number): void {
    this.#sound.setRate(rate);
    this.#publish();
  }

  stepRate(direction: 1 | -1): void {
    this.setRate(stepRate(this.#sound.chosen.rate, direction));
  }

  /** @param volume 0 to 1; turning it up also ends muting */
  setVolume(volume: number): void {
    this.#audio();
    this.#sound.setVolume(volume);
    this.#deps.volume.write(this.#sound.chosen.volume);
    this.#publish();
  }

  /** @param share how much of the chosen volume is heard, 0 to 1; it is not kept and moves no slider */
  setFade(share: number): void {
    this.#sound.setFade(share);
  }

  /** @param skipsGaps whether playing jumps over what is missing; else it plays as silence */
  setSkipsGaps(skipsGaps: boolean): void {
    this.#course.setSkipsGaps(skipsGaps);
    this.#deps.skipsGaps.write(skipsGaps);
    this.#observe();
  }

  /** @param loop the stretch that is heard again and again, until a seek leads beyond it; null ends it */
  setLoop(loop: SoundSelection | null): void {
    this.#course.setLoop(loop);
    this.#observe();
  }

  /** @param silences what playing jumps over, in the order of time; another track begins without */
  setSilences(silences: readonly SoundSelection[]): void {
    this.#course.setSilences(silences);
    this.#observe();
  }

  toggleMuted(): void {
    this.#audio();
    this.#sound.toggleMuted();
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
    this.#sound.attach(element);
    for (const name of observedEvents) element.addEventListener(name, () => this.#observe());
    element.addEventListener('loadedmetadata', () => this.#arrive());
    element.addEventListener('ended', () => this.#end());
    element.addEventListener('error', () => void this.#recover());
    return element;
  }

  #load(atMs: number, thenPlay: boolean): void {
    if (!this.#track) return;
    const audio = this.#audio();
    [this.#failure, this.#recovery] = [null, null];
    this.#pendingMs = atMs;
    audio.src = this.#loaded.load(this.#track, atMs);
    audio.load();
    this.#sound.applyRate();
    if (thenPlay) this.play();
    this.#publish();
  }

  #go(toMs: number): void {
    const audio = this.#audio();
    const needsLoad = this.#loaded.lacks(this.#track, toMs, audio.duration * second);
    // An element knows its length before it tells; what is pending when it tells is gone to.
    const isPending = this.#pendingMs !== null || audio.readyState < haveMetadata;
    if (this.#recovery || this.#failure || (!needsLoad && isPending)) this.#pendingMs = toMs;
    else if (needsLoad) this.#load(toMs, !audio.paused || this.#loaded.isAwaited);
    else audio.currentTime = (toMs - this.#loaded.startMs) / second;
  }

  #arrive(): void {
    const toMs = this.#pendingMs;
    this.#pendingMs = null;
    if (toMs !== null && toMs > this.#loaded.startMs)
      this.#audio().currentTime = (toMs - this.#loaded.startMs) / second;
    this.#publish();
  }

  #end(): void {
    const againMs = this.#course.afterEnd(this.#loaded.isLast(this.#track) ? Infinity : this.positionMs());
    if (againMs === null) this.#goesOn();
    else {
      this.#go(againMs);
      this.play();
    }
    this.#publish();
  }

  /**
   * At the end: loads the next section, or what has come beyond it, or waits for that; false where nothing
   * comes.
   */
  #goesOn(): boolean {
    const onMs = this.#track && this.#loaded.ended(this.#track, this.positionMs());
    if (onMs !== null) this.#load(onMs, true);
    if (this.#loaded.isAwaited) this.#publish();
    return !this.#loaded.isOver;
  }

  #observe(): void {
    // What the end means is told once `#end` knows.
    if (this.#element?.ended === true && !this.#loaded.isOver) return;
    const step = this.#isRunning() ? this.#course.step(this.#place()) : null;
    if (step === 'pause') this.#element?.pause();
    else if (step) this.#go(step.toMs);
    const atMs = this.positionMs();
    if (this.#recoveredAtMs !== null && Math.abs(atMs - this.#recoveredAtMs) > episodeClosedAfterMs)
      this.#recoveredAtMs = null;
    this.#publish();
    this.#tick();
  }

  /** Whether the sound moves by itself, and is where it was sent. */
  #isRunning(): boolean {
    const element = this.#element;
    return element !== null && !element.paused && !element.ended && this.#pendingMs === null;
  }

  readonly #place = (): SkipPlace => ({ atMs: this.positionMs(), durationMs: this.durationMs() });

  #tick(): void {
    if (this.#ticking || this.getSnapshot().status !== 'playing') return;
    this.#ticking = true;
    this.#deps.requestFrame(() => {
      this.#ticking = false;
      const moved =
        Math.abs(this.positionMs() - this.getSnapshot().positionMs) >= publishEveryMs ||
        this.#course.isDue(this.#place());
      if (moved) this.#observe();
      else this.#tick();
    });
  }

  /**
   * An element hides why it failed (a 401 looks like a broken line), so two bytes are asked for where a
   * sign-in can be waited for; once per episode.
   */
  async #recover(): Promise<void> {
    const [audio, track, atMs] = [this.#audio(), this.#track, this.positionMs()];
    if (!track || this.#recovery) return;
    const isUndecodable = isLost(audio, track);
    if (isUndecodable || this.#recoveredAtMs !== null) {
      this.#fail(isUndecodable ? 'unplayable' : 'network', atMs);
      return;
    }
    const recovery = { thenPlay: !audio.paused };
    this.#recovery = recovery;
    this.#recoveredAtMs = atMs;
    this.#pendingMs = atMs;
    this.#publish();
    const hasCome = await this.#deps
      .probe(track.url, byteAt(track, atMs, this.durationMs()))
      .catch(() => false);
    if (this.#recovery !== recovery) return;
    this.#recovery = null;
    if (hasCome) this.#load(this.positionMs(), recovery.thenPlay);
    else this.#fail('network', this.positionMs());
  }

  #fail(failure: PlaybackFailure, atMs: number): void {
    this.#failure = failure;
    this.#pendingMs = atMs;
    this.#publish();
  }

  #publish(): void {
    const { paused = true, ended = false, readyState = 0 } = this.#element ?? {};
    if (!ended) this.#loaded.left();
    const facts = {
      hasTrack: this.#track !== null,
      failed: this.#failure !== null,
      recovering: this.#recovery?.thenPlay === true || this.#loaded.isAwaited,
    };
    this.#state.set({
      ...this.#course.facts(this.positionMs()),
      ...this.#sound.chosen,
      track: this.#track,
      failure: this.#failure,
      status: statusOf({ paused, ended: this.#loaded.isOver, readyState }, facts),
      positionMs: this.positionMs(),
      durationMs: this.durationMs(),
    });
  }
}
