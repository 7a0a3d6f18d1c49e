import type { AfterError, FailedLoad } from './audio-element.ts';
import { LoadRetry } from './load-retry.ts';
import type { PlaybackFailure, Track } from './playback-state.ts';

interface RecoveryDeps {
  judge(error: FailedLoad): AfterError | Promise<AfterError>;
  /** The track that is loaded, and where it plays; null without one. */
  place(): Omit<FailedLoad, 'code' | 'isRepeated'> | null;
  /** Loads the track again at its place. */
  load(thenPlay: boolean): void;
  onChange(): void;
}

/** After this much playback a recovery counts as successful, and the next error may be recovered again. */
const recoveredAfterMs = 10_000;

/** Recovers from audio that could not be loaded: once per episode, then by further attempts as long as they may help. */
export class PlaybackRecovery {
  readonly #deps: RecoveryDeps;
  readonly #retry = new LoadRetry(() => void this.#attemptAgain());
  #failure: PlaybackFailure | null = null;
  /** Set while `judge` runs. `thenPlay` may still change; another load cancels the recovery. */
  #pending: { thenPlay: boolean } | null = null;
  #recoveredAtMs: number | null = null;
  /** Whether playback resumes once audio that could not be loaded has been loaded. */
  #resumes = false;

  constructor(deps: RecoveryDeps) {
    this.#deps = deps;
  }

  get failure(): PlaybackFailure | null {
    return this.#failure;
  }

  /** Whether it is being found out what follows the error. */
  get isPending(): boolean {
    return this.#pending !== null;
  }

  /** Whether playback has ended with a failure: a failed request is sent again. */
  get hasFailed(): boolean {
    return this.#failure !== null && (this.#failure !== 'network' || !this.#resumes);
  }

  /** Whether playback is meant to continue. */
  get isAwaited(): boolean {
    return this.#pending?.thenPlay === true || this.#failure !== null;
  }

  /** Whether the next load plays. */
  get thenPlay(): boolean {
    return this.#pending?.thenPlay ?? this.#resumes;
  }

  /** The user plays or pauses. */
  setPlaying(isPlaying: boolean): void {
    if (!isPlaying) this.#resumes = false;
    if (this.#pending) this.#pending.thenPlay = isPlaying;
  }

  /** The track is loaded again, or there is none any more. */
  end(): void {
    [this.#failure, this.#pending] = [null, null];
    this.#retry.cancel();
  }

  /** The next error may be recovered, whatever was before. */
  forgive(): void {
    this.#recoveredAtMs = null;
  }

  /** Playback has reached a position. */
  played(atMs: number): void {
    if (this.#recoveredAtMs === null || Math.abs(atMs - this.#recoveredAtMs) <= recoveredAfterMs) return;
    this.#recoveredAtMs = null;
    this.#retry.reset();
  }

  /** The element reports an error. */
  async handle(code: number, thenPlay: boolean): Promise<void> {
    const place = this.#deps.place();
    if (place === null) return;
    const answer = this.#deps.judge({ ...place, code, isRepeated: this.#recoveredAtMs !== null });
    const pending = { thenPlay };
    this.#pending = pending;
    let after = answer;
    if (after instanceof Promise) {
      this.#recoveredAtMs ??= place.atMs;
      this.#deps.onChange();
      after = await after;
      if (this.#pending !== pending) return;
    }
    this.#settle(after, pending.thenPlay);
  }

  /** The track changed: loads what failed once its bytes are somewhere else, or the server has more of them. */
  handleChange(before: Track, track: Track): void {
    if (before.url !== track.url) this.#deps.load(this.#resumes);
    else if (before.sizeBytes !== track.sizeBytes || before.growing !== track.growing) this.nudge();
  }

  /** Attempts now to load what failed, because the cause may be gone. */
  nudge(): void {
    this.#retry.reset();
    void this.#attemptAgain();
  }

  async #attemptAgain(): Promise<void> {
    const place = this.#deps.place();
    if (this.#failure !== 'network' || place === null) return;
    this.#retry.cancel();
    const after = await this.#deps.judge({ ...place, code: null, isRepeated: false });
    // Another attempt, the user, or another track may have loaded it in the meantime.
    if (this.#failure === 'network' && this.#deps.place()?.track.url === place.track.url)
      this.#settle(after, this.#resumes);
  }

  /**
   * What fails at the moment may succeed later, with the connection or with what the server does, so it is tried again.
   * @param resumes whether playback resumes then, or once the track has another source
   */
  #settle(after: AfterError, resumes: boolean): void {
    this.#pending = null;
    if (after === 'again') return this.#deps.load(resumes);
    this.#failure = after === 'later' ? 'network' : after;
    this.#resumes = resumes;
    if (after === 'later') this.#retry.schedule();
    this.#deps.onChange();
  }
}
