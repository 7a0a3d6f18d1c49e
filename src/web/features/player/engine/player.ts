import { PlaybackStall } from '#audio/playback-stall.ts';
import { second } from '#base/duration.ts';
import { createStore, type Store, type WritableStore } from '#base/store.ts';
import { byteAt, isLost, observedEvents, type AudioElement, type PlayerDeps } from './audio-element.ts';
import { PlaybackRules, type SkipPlace } from './playback-rules.ts';
import { LoadRetry } from './load-retry.ts';
import { Loaded } from './loaded.ts';
import { OpeningPlace } from './opening-place.ts';
import {
  clampPosition,
  shownPosition,
  statusOf,
  stepRate,
  type PlaybackFailure,
  type PlaybackSnapshot,
  type Track,
} from './playback-state.ts';
import type { SoundSelection } from './selection.ts';
import { Sound } from './sound.ts';

const haveMetadata = 1;
/** After this much playback a recovery counts as successful, and the next error may be recovered again. */
const recoveredAfterMs = 10 * second;
const publishEveryMs = 100;

/** The playback engine: one `<audio>` element outside React, and a store of its state. */
export class Player {
  readonly #deps: PlayerDeps;
  #element: AudioElement | null = null;
  #track: Track | null = null;
  #failure: PlaybackFailure | null = null;
  /** The position to seek to once the element's metadata is loaded. */
  #pendingMs: number | null = null;
  /** Set while a probe request runs. `thenPlay` may still change; another load cancels the recovery. */
  #recovery: { thenPlay: boolean } | null = null;
  #recoveredAtMs: number | null = null;
  /** Whether playback resumes once audio that could not be loaded has been loaded. */
  #resumes = false;
  readonly #loadRetry = new LoadRetry(() => void this.#attemptAgain());
  readonly #stall: PlaybackStall;
  readonly #loaded = new Loaded();
  readonly #opening: OpeningPlace;
  #ticking = false;
  readonly #rules: PlaybackRules;
  readonly #sound: Sound;
  readonly #state: WritableStore<PlaybackSnapshot>;
  readonly subscribe: Store<PlaybackSnapshot>['subscribe'];
  readonly getSnapshot: Store<PlaybackSnapshot>['getSnapshot'];

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
    this.#stall = new PlaybackStall(() => deps.nowMs());
    this.#opening = new OpeningPlace(() => deps.nowMs());
    this.#rules = new PlaybackRules(deps.skipsGaps.read());
    this.#sound = new Sound(deps.volume.read());
    this.#state = createStore<PlaybackSnapshot>({
      track: null,
      status: 'empty',
      positionMs: 0,
      durationMs: 0,
      failure: null,
      ...this.#sound.chosen,
      ...this.#rules.facts(0),
    });
    ({ subscribe: this.subscribe, getSnapshot: this.getSnapshot } = this.#state);
  }

  /** The exact position, read from the element for every drawn frame. */
  positionMs(): number {
    return this.#pendingMs ?? this.#loaded.startMs + (this.#element?.currentTime ?? 0) * second;
  }

  durationMs(): number {
    if (this.#track && this.#track.durationMs > 0) return this.#track.durationMs;
    const { duration = Number.NaN } = this.#element ?? {};
    return Number.isFinite(duration) ? duration * second : 0;
  }

  /** Loads a track. If it is already loaded, updates it without interrupting playback. */
  open(track: Track, startAtMs: number | null = null): void {
    const before = this.#track;
    this.#track = track;
    this.#rules.setGaps(track.gaps);
    if (before?.id !== track.id) {
      this.#rules.start();
      this.#opening.reset();
      this.#load(startAtMs ?? 0, false);
      return;
    }
    if (this.#failure) this.#loadChanged(before, track);
    else if (before.url !== track.url) this.#moveToSource();
    if (this.#loaded.grown(track, this.positionMs())) this.#load(this.positionMs(), true);
    if (startAtMs !== null) this.seek(startAtMs);
    this.#publish();
  }

  /** Unloads the track and stops playback. */
  close(): void {
    [this.#track, this.#failure, this.#recovery] = [null, null, null];
    this.#loadRetry.cancel();
    this.pause();
  }

  play(): void {
    if (!this.#track) return;
    if (this.#failure) return this.retry();
    if (this.#recovery) this.#recovery.thenPlay = true;
    else if (this.#element?.ended === true) {
      if (this.#continueAfterEnd()) return;
      this.#moveTo(0);
    }
    // If the browser rejects `play()` (no user gesture yet, or a newer load), the element stays paused and so does
    // the store.
    this.#audio()
      .play()
      .then(
        () => this.#publish(),
        () => this.#publish(),
      );
  }

  pause(): void {
    this.#loaded.forget();
    this.#resumes = false;
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
    this.#rules.moved(toMs);
    this.#moveTo(clampPosition(toMs, this.durationMs()));
    if (this.#loaded.isAwaited && !this.#audio().ended) {
      this.#loaded.forget();
      this.play();
    }
    this.#publish();
  }

  skip(byMs: number): void {
    this.seek(this.positionMs() + byMs);
  }

  /** Seeks to the start of a range. Playback pauses at its end. */
  seekRange(fromMs: number, toMs: number | null): void {
    this.seek(fromMs);
    this.#rules.setStop(toMs);
  }

  setRate(rate: number): void {
    this.#sound.setRate(rate);
    this.#publish();
  }

  stepRate(direction: 1 | -1): void {
    this.setRate(stepRate(this.#sound.chosen.rate, direction));
  }

  /** @param volume 0 to 1; above 0 it also unmutes */
  setVolume(volume: number): void {
    this.#audio();
    this.#sound.setVolume(volume);
    this.#deps.volume.write(this.#sound.chosen.volume);
    this.#publish();
  }

  /** @param share factor applied to the chosen volume, 0 to 1; it is neither stored nor shown */
  setFade(share: number): void {
    this.#sound.setFade(share);
  }

  /** @param skipsGaps whether playback skips gaps; otherwise it plays them as silence */
  setSkipsGaps(skipsGaps: boolean): void {
    this.#rules.setSkipsGaps(skipsGaps);
    this.#deps.skipsGaps.write(skipsGaps);
    this.#observe();
  }

  /** @param loop range to repeat until the user seeks beyond its end; null turns the loop off */
  setLoop(loop: SoundSelection | null): void {
    this.#rules.setLoop(loop);
    this.#observe();
  }

  /** @param silences ranges to skip, in time order; loading another track clears them */
  setSilences(silences: readonly SoundSelection[]): void {
    this.#rules.setSilences(silences);
    this.#observe();
  }

  toggleMuted(): void {
    this.#audio();
    this.#sound.toggleMuted();
    this.#publish();
  }

  /** Reloads the track at the current position and plays, for the "Try again" button. */
  retry(): void {
    this.#recoveredAtMs = null;
    this.#load(this.positionMs(), true);
  }

  /** Attempts now to load audio that could not be loaded, because the cause may be gone. */
  nudge(): void {
    this.#loadRetry.reset();
    void this.#attemptAgain();
  }

  #audio(): AudioElement {
    if (this.#element) return this.#element;
    const element = this.#deps.createElement();
    this.#element = element;
    this.#sound.attach(element);
    for (const name of observedEvents) element.addEventListener(name, () => this.#observe());
    element.addEventListener('loadedmetadata', () => this.#handleMetadata());
    element.addEventListener('ended', () => this.#handleEnd());
    element.addEventListener('error', () => void this.#recover());
    return element;
  }

  #load(atMs: number, thenPlay: boolean): void {
    if (!this.#track) return;
    const audio = this.#audio();
    [this.#failure, this.#recovery] = [null, null];
    this.#loadRetry.cancel();
    this.#pendingMs = atMs;
    audio.preload = this.#opening.preload;
    audio.src = this.#loaded.load(this.#track, atMs);
    audio.load();
    this.#opening.announce(this.#secondsOf(atMs));
    this.#sound.setHeld(this.#opening.isElsewhere);
    this.#sound.applyRate();
    if (thenPlay) this.play();
    this.#publish();
  }

  #moveTo(toMs: number): void {
    const audio = this.#audio();
    const needsLoad = this.#loaded.lacks(this.#track, toMs, audio.duration * second) || this.#isMissed(toMs);
    // An element knows its duration before it fires `loadedmetadata`, whose handler seeks to the pending position.
    const isPending = this.#pendingMs !== null || audio.readyState < haveMetadata;
    if (this.#recovery || this.#failure) this.#pendingMs = toMs;
    else if (needsLoad) this.#load(toMs, !audio.paused || this.#loaded.isAwaited);
    else if (isPending) {
      this.#pendingMs = toMs;
      this.#opening.announce(this.#secondsOf(toMs));
      this.#sound.setHeld(this.#opening.isElsewhere);
    } else this.#opening.move(audio, this.#secondsOf(toMs));
  }

  /** A position of the track, in seconds of the loaded audio. */
  #secondsOf(atMs: number): number {
    return (atMs - this.#loaded.startMs) / second;
  }

  #isMissed(toMs: number): boolean {
    const isWhole = this.#track?.growing === false && toMs < this.#track.durationMs;
    return isWhole && this.#opening.misses(this.#audio(), this.#secondsOf(toMs));
  }

  #handleMetadata(): void {
    const [audio, toMs] = [this.#audio(), this.#pendingMs];
    if (toMs !== null && this.#isMissed(toMs)) return this.#load(toMs, !audio.paused);
    this.#pendingMs = null;
    if (toMs !== null && toMs > this.#loaded.startMs) this.#opening.move(audio, this.#secondsOf(toMs));
    return this.#publish();
  }

  #handleEnd(): void {
    const againMs = this.#rules.afterEnd(this.#loaded.isLast(this.#track) ? Infinity : this.positionMs());
    if (againMs === null) this.#continueAfterEnd();
    else {
      this.#moveTo(againMs);
      this.play();
    }
    this.#publish();
  }

  /**
   * Handles the end: loads the next section or newly arrived audio, or waits for it. Returns false if no more
   * audio follows.
   */
  #continueAfterEnd(): boolean {
    const onMs = this.#track && this.#loaded.ended(this.#track, this.positionMs());
    if (onMs !== null) this.#load(onMs, true);
    if (this.#loaded.isAwaited) this.#publish();
    return !this.#loaded.isOver;
  }

  #observe(): void {
    // `#handleEnd` decides what the end means, and publishes then.
    if (this.#element?.ended === true && !this.#loaded.isOver) return;
    this.#checkPlace();
    const step = this.#isRunning() ? this.#rules.step(this.#place()) : null;
    if (step === 'pause') this.#element?.pause();
    else if (step) this.#moveTo(step.toMs);
    const atMs = this.positionMs();
    if (this.#recoveredAtMs !== null && Math.abs(atMs - this.#recoveredAtMs) > recoveredAfterMs) {
      this.#recoveredAtMs = null;
      this.#loadRetry.reset();
    }
    this.#publish();
    this.#tick();
  }

  /** Loads an element again that does not play where it was told to. */
  #checkPlace(): void {
    const audio = this.#element;
    if (audio === null) return;
    const mayLoad = this.#track?.growing === false;
    const missedAt = this.#pendingMs === null ? this.#opening.check(audio, mayLoad) : null;
    this.#sound.setHeld(this.#opening.isElsewhere);
    if (missedAt !== null) this.#load(this.#loaded.startMs + missedAt * second, !audio.paused);
  }

  /** Whether audio is playing and no seek is pending. */
  #isRunning(): boolean {
    const element = this.#element;
    return element !== null && !element.paused && !element.ended && this.#pendingMs === null;
  }

  #hasStalled(): boolean {
    return this.#stall.hasStalled(this.#isRunning() ? this.positionMs() : null);
  }

  readonly #place = (): SkipPlace => ({ atMs: this.positionMs(), durationMs: this.durationMs() });

  #tick(): void {
    if (this.#ticking || this.getSnapshot().status !== 'playing') return;
    this.#ticking = true;
    this.#deps.requestFrame(() => {
      this.#ticking = false;
      const moved =
        Math.abs(this.positionMs() - this.getSnapshot().positionMs) >= publishEveryMs ||
        this.#rules.isDue(this.#place()) ||
        this.#hasStalled();
      if (moved) this.#observe();
      else this.#tick();
    });
  }

  /**
   * Recovers from an error, once per episode. An element does not say why it failed (a 401 looks like a network
   * error), so two bytes are requested through the wrapper, which can wait for a sign-in.
   */
  async #recover(): Promise<void> {
    const [audio, track, atMs] = [this.#audio(), this.#track, this.positionMs()];
    if (!track || this.#recovery) return;
    if (!this.#loaded.isFrom(track)) {
      this.#load(atMs, !audio.paused);
      return;
    }
    const isUndecodable = isLost(audio, track);
    if (isUndecodable || this.#recoveredAtMs !== null) {
      this.#fail(isUndecodable ? 'unplayable' : 'network', { atMs, resumes: !audio.paused });
      return;
    }
    const recovery = { thenPlay: !audio.paused };
    this.#recovery = recovery;
    this.#recoveredAtMs = atMs;
    this.#pendingMs = atMs;
    this.#publish();
    const isReachable = await this.#isReachable(track);
    if (this.#recovery !== recovery) return;
    this.#recovery = null;
    if (isReachable) this.#load(this.positionMs(), recovery.thenPlay);
    else this.#fail('network', { atMs: this.positionMs(), resumes: recovery.thenPlay });
  }

  #isReachable(track: Track): Promise<boolean> {
    return this.#deps
      .probe(track.url, byteAt(track, this.positionMs(), this.durationMs()))
      .catch(() => false);
  }

  /**
   * The failure of a request passes, with the connection or with what the server does, so it is sent again.
   * @param place.resumes whether playback resumes then, or once the track has another source
   */
  #fail(failure: PlaybackFailure, { atMs, resumes }: { atMs: number; resumes: boolean }): void {
    this.#failure = failure;
    this.#pendingMs = atMs;
    this.#resumes = resumes;
    if (failure === 'network') this.#loadRetry.schedule();
    this.#publish();
  }

  /** The track has another source. What is playing plays on: it is loaded from there once the other one ends or fails. */
  #moveToSource(): void {
    if (this.#recovery) this.#load(this.positionMs(), this.#recovery.thenPlay);
    // At the end of what had arrived, `grown` decides whether there is more now.
    else if (this.#audio().paused && !this.#loaded.isAwaited) this.#load(this.positionMs(), false);
  }

  /** Loads a track that failed once its bytes are somewhere else, or the server has more of them. */
  #loadChanged(before: Track, track: Track): void {
    if (before.url !== track.url) this.#load(this.positionMs(), this.#resumes);
    else if (before.sizeBytes !== track.sizeBytes || before.growing !== track.growing) this.nudge();
  }

  async #attemptAgain(): Promise<void> {
    const track = this.#track;
    if (this.#failure !== 'network' || track === null) return;
    this.#loadRetry.cancel();
    const isReachable = await this.#isReachable(track);
    // Another attempt, the user, or another track may have loaded it in the meantime.
    if (this.#failure !== 'network' || this.#track?.url !== track.url) return;
    if (isReachable) this.#load(this.positionMs(), this.#resumes);
    else this.#loadRetry.schedule();
  }

  /** Whether playback has ended with a failure: a failed request is sent again. */
  #hasFailed(): boolean {
    return this.#failure === 'unplayable' || (this.#failure !== null && !this.#resumes);
  }

  #publish(): void {
    const { paused = true, ended = false, readyState = 0 } = this.#element ?? {};
    if (!ended) this.#loaded.left();
    const facts = {
      hasTrack: this.#track !== null,
      failed: this.#hasFailed(),
      recovering: this.#recovery?.thenPlay === true || this.#loaded.isAwaited || this.#failure !== null,
    };
    const status = statusOf({ paused, ended: this.#loaded.isOver, readyState }, facts);
    this.#state.set({
      ...this.#rules.facts(this.positionMs()),
      ...this.#sound.chosen,
      track: this.#track,
      failure: this.#failure,
      status: this.#hasStalled() && status === 'playing' ? 'waiting' : status,
      positionMs: shownPosition(this.#track, this.#place()),
      durationMs: this.durationMs(),
    });
  }
}
