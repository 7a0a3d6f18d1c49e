import { second } from '#base/duration.ts';
import { createStore, type Store, type WritableStore } from '#base/store.ts';
import { handleEvents, type AudioElement, type PlayerDeps } from './audio-element.ts';
import { Loaded } from './loaded.ts';
import { OpeningPlace } from './opening-place.ts';
import type { PlaybackRules, SkipPlace } from './playback-rules.ts';
import { PlaybackStall } from './playback-stall.ts';
import {
  clampPosition,
  haveMetadata,
  noRules,
  shownPosition,
  statusOf,
  stepRate,
  type AudioPart,
  type PlaybackSnapshot,
  type PlaybackStatus,
  type SoundSelection,
  type Track,
} from './playback-state.ts';
import { PlaybackRecovery } from './playback-recovery.ts';
import { Sound } from './sound.ts';

const publishEveryMs = 100;

/**
 * The playback engine of every page: an `<audio>` element, a second one that loads ahead if the page wants that, and a
 * store of the state. Positions are milliseconds since the start of the track.
 */
export class Player {
  readonly #deps: PlayerDeps;
  #element: AudioElement | null = null;
  /** The other element, which loads what follows. */
  #spare: AudioElement | null = null;
  /** What the other element loads; null if it loads nothing. */
  #next: AudioPart | null = null;
  #track: Track | null = null;
  /** The position to seek to once the element's metadata is loaded. */
  #pendingMs: number | null = null;
  readonly #recovery: PlaybackRecovery;
  readonly #stall: PlaybackStall;
  readonly #loaded = new Loaded();
  readonly #opening: OpeningPlace;
  #ticking = false;
  readonly #rules: PlaybackRules | null;
  readonly #sound: Sound;
  readonly #state: WritableStore<PlaybackSnapshot>;
  readonly subscribe: Store<PlaybackSnapshot>['subscribe'];
  readonly getSnapshot: Store<PlaybackSnapshot>['getSnapshot'];

  constructor(deps: PlayerDeps) {
    this.#deps = deps;
    this.#stall = new PlaybackStall(() => deps.nowMs());
    this.#opening = new OpeningPlace(() => deps.nowMs());
    this.#recovery = new PlaybackRecovery({
      judge: (error) => deps.judgeError(error),
      place: () => this.#track && { ...this.#place(), track: this.#track },
      load: (thenPlay) => this.#load(this.positionMs(), thenPlay),
      onChange: () => this.#publish(),
    });
    this.#rules = deps.rules ?? null;
    this.#sound = new Sound(deps.volume?.read() ?? 1);
    this.#state = createStore(this.#snapshot());
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
    this.#rules?.setGaps(track.gaps);
    if (before?.id !== track.id) {
      this.#rules?.start();
      this.#opening.reset();
      this.#load(startAtMs ?? 0, false);
      return;
    }
    if (before.url !== track.url) {
      this.#next = null;
      this.#recovery.forgive();
    }
    if (this.#recovery.failure) this.#recovery.handleChange(before, track);
    else if (before.url !== track.url) this.#moveToSource();
    const atMs = this.#loaded.endAt(this.positionMs());
    if (this.#loaded.grown(track, atMs)) this.#load(atMs, true);
    if (startAtMs !== null) this.seek(startAtMs);
    this.#publish();
  }

  /** Unloads the track and stops playback. */
  close(): void {
    [this.#track, this.#next] = [null, null];
    this.#recovery.end();
    this.pause();
  }

  play(): void {
    if (!this.#track) return;
    if (this.#recovery.failure) return this.retry();
    this.unlock();
    if (this.#recovery.isPending) this.#recovery.setPlaying(true);
    else if (this.#element?.ended === true) {
      if (this.#continueAfterEnd()) return;
      this.#moveTo(0);
    } else this.#loadFirstPart(this.#track);
    this.#start();
  }

  /** Call within a press if `play` follows later: WebKit lets an element play later only if the user's event used it. */
  unlock(): void {
    for (const each of [this.#audio(), this.#spare]) if (each?.src === '') each.load();
  }

  #start(): void {
    // If the browser rejects `play()` (no user gesture yet, or a newer load), the element stays paused and so does
    // the store.
    const publish = () => this.#publish();
    this.#audio().play().then(publish, publish);
  }

  pause(): void {
    this.#loaded.forget();
    this.#recovery.setPlaying(false);
    this.#element?.pause();
    this.#publish();
  }

  toggle(): void {
    const { status } = this.getSnapshot();
    if (status === 'playing' || status === 'waiting') this.pause();
    else this.play();
  }

  seek(toMs: number): void {
    this.#rules?.moved(toMs);
    // More of a live track has arrived by the time the end of the loaded audio is played.
    if (this.#track?.growing === true) this.#next = null;
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
    this.#rules?.setStop(toMs);
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
    this.#deps.volume?.write(this.#sound.chosen.volume);
    this.#publish();
  }

  /** @param share factor applied to the chosen volume, 0 to 1; it is neither stored nor shown */
  setFade(share: number): void {
    this.#sound.setFade(share);
  }

  /** @param skipsGaps whether playback skips gaps; otherwise it plays them as silence */
  setSkipsGaps(skipsGaps: boolean): void {
    this.#rules?.setSkipsGaps(skipsGaps);
    this.#observe();
  }

  /** @param loop range to repeat until the user seeks beyond its end; null turns the loop off */
  setLoop(loop: SoundSelection | null): void {
    this.#rules?.setLoop(loop);
    this.#observe();
  }

  /** @param silences ranges to skip, in time order; loading another track clears them */
  setSilences(silences: readonly SoundSelection[]): void {
    this.#rules?.setSilences(silences);
    this.#observe();
  }

  toggleMuted(): void {
    this.#audio();
    this.#sound.toggleMuted();
    this.#publish();
  }

  /** Reloads the track at the current position and plays, for the "Try again" button. */
  retry(): void {
    this.#recovery.forgive();
    this.#load(this.positionMs(), true);
  }

  /** Attempts now to load audio that could not be loaded, because the cause may be gone. */
  nudge(): void {
    this.#recovery.nudge();
  }

  #audio(): AudioElement {
    if (this.#element) return this.#element;
    const element = this.#createElement();
    this.#element = element;
    this.#sound.attach(element);
    if (this.#deps.loadsAhead === true) this.#spare = this.#createElement();
    return element;
  }

  #createElement(): AudioElement {
    const element = this.#deps.createElement();
    handleEvents(element, () => element === this.#element, {
      observe: () => this.#observe(),
      loadedmetadata: () => this.#handleMetadata(),
      ended: () => this.#handleEnd(),
      error: () => this.#handleError(),
    });
    element.addEventListener('loadedmetadata', () => {
      if (element === this.#spare && this.#next)
        element.currentTime = (this.#loaded.endMs - this.#next.startMs) / second;
    });
    return element;
  }

  #load(atMs: number, thenPlay: boolean, part?: AudioPart): void {
    if (!this.#track) return;
    const audio = this.#audio();
    this.#recovery.end();
    this.#next = null;
    audio.src = this.#loaded.load(this.#track, atMs, part);
    // With a source already: without one, browsers start to load that of the HTML.
    audio.preload = this.#opening.preload;
    audio.load();
    this.#announce(atMs);
    this.#sound.applyRate();
    if (thenPlay) this.play();
    this.#publish();
  }

  /** Loads the first seconds alone as long as nothing of the whole has arrived. */
  #loadFirstPart(track: Track): void {
    if (this.#audio().readyState >= haveMetadata || this.#pendingMs !== 0) return;
    const part = this.#deps.firstPart?.(track) ?? null;
    if (part !== null && !this.#loaded.is(part)) this.#load(0, false, part);
  }

  /** Lets the other element load what follows: the next section, or what has arrived since this audio was loaded. */
  #loadAhead(): void {
    const [track, spare] = [this.#track, this.#spare];
    if (track === null || spare === null || this.#next !== null || !this.#isRunning()) return;
    this.#next = this.#loaded.next(track, this.positionMs());
    if (this.#next) [spare.src, spare.preload] = [this.#next.url, 'auto'];
  }

  /**
   * Continues with the other element, at once or as soon as it has loaded. Returns false if it does not have the moment.
   */
  #takeOver(atMs: number, thenPlay: boolean): boolean {
    const [track, audio, spare, next] = [this.#track, this.#element, this.#spare, this.#next];
    if (!track || !audio || !spare || !next || spare.error !== null) return false;
    if (atMs < next.startMs || atMs > next.endMs) return false;
    audio.pause();
    [this.#element, this.#spare, this.#next] = [spare, audio, null];
    this.#loaded.load(track, atMs, next);
    this.#sound.attach(spare);
    this.#announce(atMs);
    // First of all it plays, so that nobody is told of a pause.
    if (thenPlay) this.#start();
    if (spare.readyState >= haveMetadata) this.#handleMetadata();
    return true;
  }

  /** Moves the element to a position once it knows its metadata. Until then, nothing is heard. */
  #announce(atMs: number): void {
    this.#pendingMs = atMs;
    this.#opening.announce(this.#secondsOf(atMs));
    this.#sound.setHeld(this.#opening.isElsewhere);
  }

  #moveTo(toMs: number): void {
    const audio = this.#audio();
    const needsLoad = this.#loaded.lacks(this.#track, toMs, audio.duration * second) || this.#isMissed(toMs);
    // An element knows its duration before it fires `loadedmetadata`, whose handler seeks to the pending position.
    const isPending = this.#pendingMs !== null || audio.readyState < haveMetadata;
    if (this.#recovery.isPending || this.#recovery.failure) this.#pendingMs = toMs;
    else if (needsLoad) {
      const thenPlay = !audio.paused || this.#loaded.isAwaited;
      if (!this.#takeOver(toMs, thenPlay)) this.#load(toMs, thenPlay);
    } else if (isPending) this.#announce(toMs);
    else this.#opening.move(audio, this.#secondsOf(toMs));
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
    if (toMs !== null && toMs > this.#loaded.startMs) this.#opening.adopt(audio, this.#secondsOf(toMs));
    this.#sound.setHeld(this.#opening.isElsewhere);
    return this.#publish();
  }

  #handleEnd(): void {
    const endMs = this.#loaded.isLast(this.#track) ? Infinity : this.positionMs();
    const againMs = this.#rules?.afterEnd(endMs) ?? null;
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
    const atMs = this.#loaded.endAt(this.positionMs());
    if (atMs === this.#loaded.endMs && this.#takeOver(atMs, true)) return true;
    const onMs = this.#track && this.#loaded.ended(this.#track, atMs);
    if (onMs !== null) this.#load(onMs, true);
    if (this.#loaded.isAwaited) this.#publish();
    return !this.#loaded.isOver;
  }

  #observe(): void {
    // `#handleEnd` decides what the end means, and publishes then.
    if (this.#element?.ended === true && !this.#loaded.isOver) return;
    this.#checkPlace();
    const step = this.#isRunning() ? this.#rules?.step(this.#place()) : null;
    if (step === 'pause') this.#element?.pause();
    else if (step) this.#moveTo(step.toMs);
    this.#recovery.played(this.positionMs());
    this.#loadAhead();
    this.#publish();
    this.#tick();
  }

  /** Loads an element again that does not play where it was told to. */
  #checkPlace(): void {
    const audio = this.#element;
    if (audio === null) return;
    const isWhole = this.#track?.growing === false;
    const missedAt = this.#pendingMs === null ? this.#opening.check(audio, isWhole) : null;
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
      const movedMs = Math.abs(this.positionMs() - this.getSnapshot().positionMs);
      const isDue = this.#rules?.isDue(this.#place()) === true || this.#hasStalled();
      if (movedMs >= publishEveryMs || isDue) this.#observe();
      else this.#tick();
    });
  }

  #handleError(): void {
    const [audio, track, atMs] = [this.#audio(), this.#track, this.positionMs()];
    // An error that is reported after another load has begun is of the load before it.
    if (!track || this.#recovery.isPending || audio.error === null) return;
    this.#pendingMs = atMs;
    if (this.#loaded.isFrom(track)) void this.#recovery.handle(audio.error.code, !audio.paused);
    else this.#load(atMs, !audio.paused);
  }

  /** The track has another source. What is playing plays on: it is loaded from there once the other one ends or fails. */
  #moveToSource(): void {
    if (this.#recovery.isPending) this.#load(this.positionMs(), this.#recovery.thenPlay);
    // At the end of what had arrived, `grown` decides whether there is more now.
    else if (this.#audio().paused && !this.#loaded.isAwaited) this.#load(this.positionMs(), false);
  }

  #status(): PlaybackStatus {
    const { paused = true, ended = false, readyState = 0 } = this.#element ?? {};
    if (!ended) this.#loaded.left();
    const facts = {
      hasTrack: this.#track !== null,
      failed: this.#recovery.hasFailed,
      recovering: this.#recovery.isAwaited || this.#loaded.isAwaited,
    };
    const status = statusOf({ paused, ended: this.#loaded.isOver, readyState }, facts);
    return this.#hasStalled() && status === 'playing' ? 'waiting' : status;
  }

  #snapshot(): PlaybackSnapshot {
    return {
      ...(this.#rules?.facts(this.positionMs()) ?? noRules),
      ...this.#sound.chosen,
      track: this.#track,
      failure: this.#recovery.failure,
      status: this.#status(),
      positionMs: shownPosition(this.#track, this.#place()),
      durationMs: this.durationMs(),
    };
  }

  #publish(): void {
    this.#state.set(this.#snapshot());
  }
}
