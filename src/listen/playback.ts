import { second } from '#base/duration.ts';
import type { Store } from '#base/store.ts';
import type { AfterError, FailedLoad, PlayerDeps } from '#playback/audio-element.ts';
import {
  clampPosition,
  type AudioPart,
  type PlaybackSnapshot,
  type Track,
} from '#playback/playback-state.ts';
import { Player } from '#playback/player.ts';
import type { AudioFormat } from './audio-format.ts';

/**
 * What the page may do after a rejection: send the request once more, or show that it failed, or that no format can be
 * played.
 */
export type AfterRejection = 'again' | 'failed' | 'unplayable';

export interface PlaybackDeps extends Pick<PlayerDeps, 'createElement' | 'requestFrame' | 'nowMs'> {
  linkPath: string;
  /** Shown by the system. */
  title: string;
  /** The formats that the browser can play, best first; empty if it can play none. */
  formats: readonly AudioFormat[];
  /** The length of the sections in which long Ogg is played; M4A of any length is one file. */
  sectionMs: number;
  /** Whether the whole audio would take long to load. */
  isSlowLine: () => boolean;
  /** Whether the server needs a started listen before it sends audio. */
  isCounted: boolean;
  /** Starts a listen. Resolves to false if the server did not count it. */
  startListen: () => Promise<boolean>;
  /** Called when playback has reached the end of a complete recording. */
  onWhole: () => void;
  /**
   * Asks the server why the audio, or the start of a listen, was rejected; may wait for the password of the link, and
   * for M4A that is being made.
   */
  onRejected: (format: AudioFormat | null) => Promise<AfterRejection>;
  /** Called after every change that can be seen. */
  onChange: () => void;
}

const mediaErrorUnsupported = 4;
/** So much is loaded first on a slow line. While it plays, the whole is loaded. */
const headMs = 3.25 * second;

/**
 * Plays the audio of a link in the first format that works, and counts the listens. Times are milliseconds since the
 * start of the shared part.
 */
export class Playback {
  readonly #deps: PlaybackDeps;
  readonly #player: Player;
  #durationMs: number;
  #isGrowing: boolean;
  #formatIndex = 0;
  /** Where playback starts once the player has the track. */
  #startMs = 0;
  #isOpen = false;
  /** Whether the user wants to listen while the server counts that. */
  #isAwaitingListen = false;
  #isStartingListen = false;
  #isListenStarted = false;
  #isListenRejected = false;
  #hasEnded = false;

  constructor(deps: PlaybackDeps, { durationMs, isGrowing }: { durationMs: number; isGrowing: boolean }) {
    const { createElement, requestFrame, nowMs } = deps;
    this.#deps = deps;
    this.#durationMs = durationMs;
    this.#isGrowing = isGrowing;
    this.#player = new Player({
      createElement,
      requestFrame,
      nowMs,
      judgeError: (error) => this.#judgeError(error),
      loadsAhead: true,
      firstPart: () => this.#headPart(),
    });
    this.#player.subscribe(() => this.#handleChange());
  }

  /** The state of the player itself. */
  get store(): Store<PlaybackSnapshot> {
    return this.#player;
  }

  get durationMs(): number {
    return this.#durationMs;
  }

  get positionMs(): number {
    return this.#isOpen ? Math.min(this.#durationMs, this.#player.positionMs()) : this.#startMs;
  }

  /** Whether the user wants to listen, even if no audio has arrived yet. */
  get isRunning(): boolean {
    const { status } = this.#player.getSnapshot();
    return this.#isAwaitingListen || status === 'playing' || status === 'waiting';
  }

  get isWaiting(): boolean {
    const { status, failure } = this.#player.getSnapshot();
    return this.#isAwaitingListen || (status === 'waiting' && failure === null);
  }

  /** Whether playback failed, and resumes once the server responds again. */
  get isResuming(): boolean {
    const { status, failure } = this.#player.getSnapshot();
    return status === 'waiting' && failure !== null;
  }

  get isFailed(): boolean {
    return this.#isListenRejected || this.#player.getSnapshot().failure !== null;
  }

  get isUnplayable(): boolean {
    return this.#deps.formats.length === 0 || this.#player.getSnapshot().failure === 'unplayable';
  }

  get isGrowing(): boolean {
    return this.#isGrowing;
  }

  /** Loads the length and the first bytes, so that a press on Play is answered at once. */
  prepare(): void {
    if (!this.#deps.isCounted && !this.isUnplayable) this.#open();
  }

  toggle(): void {
    if (this.isRunning) this.pause();
    else this.play();
  }

  play(): void {
    if (this.isUnplayable) return;
    this.#isListenRejected = false;
    if (this.#isListenStarted || !this.#deps.isCounted) this.#play();
    else void this.#startCounted();
  }

  pause(): void {
    this.#isAwaitingListen = false;
    this.#player.pause();
  }

  seek(toMs: number): void {
    this.#startMs = clampPosition(toMs, this.#durationMs);
    if (this.#isOpen) this.#player.seek(toMs);
    else this.#deps.onChange();
  }

  skip(byMs: number): void {
    this.seek(this.positionMs + byMs);
  }

  setSpeed(speed: number): void {
    this.#player.setRate(speed);
  }

  /** Loads audio now that could not be loaded: the server responds again. */
  nudge(): void {
    this.#player.nudge();
  }

  /** The recording became longer, or complete. */
  grow({ durationMs, isGrowing }: { durationMs: number; isGrowing: boolean }): void {
    this.#durationMs = durationMs;
    this.#isGrowing = isGrowing;
    if (this.#isOpen) this.#player.open(this.#track());
    else this.#deps.onChange();
  }

  #track(): Track {
    const { linkPath, title, formats, sectionMs } = this.#deps;
    const format = formats[this.#formatIndex] ?? 'ogg';
    const url = `${linkPath}/audio`;
    return {
      id: linkPath,
      title,
      ...(format === 'ogg'
        ? { url, sections: { eachMs: sectionMs, urlOf: (section) => `${url}?section=${section}` } }
        : { url: `${url}?format=${format}`, sections: null }),
      durationMs: this.#durationMs,
      growing: this.#isGrowing,
      sizeBytes: 0,
      gaps: [],
    };
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#player.open(this.#track(), this.#startMs);
  }

  #play(): void {
    if (!this.#isListenStarted) void this.#deps.startListen();
    this.#isListenStarted = true;
    this.#open();
    this.#player.play();
  }

  async #startCounted(): Promise<void> {
    this.#isAwaitingListen = true;
    this.#player.unlock();
    this.#deps.onChange();
    if (this.#isStartingListen) return;
    this.#isStartingListen = true;
    this.#isListenStarted = await this.#startListen();
    const isWanted = this.#isAwaitingListen;
    [this.#isStartingListen, this.#isAwaitingListen] = [false, false];
    this.#isListenRejected = !this.#isListenStarted;
    if (this.#isListenStarted && isWanted) this.#play();
    this.#deps.onChange();
  }

  /** The link may be used up, or need its password again; then the listen is started at most once more. */
  async #startListen(): Promise<boolean> {
    const { startListen, onRejected } = this.#deps;
    if (await startListen()) return true;
    return (await onRejected(null)) === 'again' && startListen();
  }

  /** On a slow line the first seconds arrive sooner: of a whole file browsers read the end before they play its start. */
  #headPart(): AudioPart | null {
    const { linkPath, formats, isSlowLine } = this.#deps;
    const isWhole = formats[this.#formatIndex] === 'ogg' && !this.#isGrowing && this.#durationMs > 2 * headMs;
    const url = `${linkPath}/audio?until=${headMs}`;
    return isWhole && isSlowLine() ? { url, startMs: 0, endMs: headMs, isShort: true } : null;
  }

  #handleChange(): void {
    const hadEnded = this.#hasEnded;
    this.#hasEnded = this.#player.getSnapshot().status === 'ended';
    if (this.#hasEnded && !hadEnded) this.#deps.onWhole();
    this.#deps.onChange();
  }

  /** A rejected request is sent at most once more in each format; after that only the user's press sends it. */
  async #judgeError({ code, isRepeated }: FailedLoad): Promise<AfterError> {
    const { formats, isCounted, onRejected } = this.#deps;
    const after = await onRejected(formats[this.#formatIndex] ?? null);
    if (after === 'unplayable' || (after === 'again' && !isRepeated)) return after;
    if (after === 'again' && code === mediaErrorUnsupported && this.#formatIndex < formats.length - 1) {
      this.#formatIndex += 1;
      this.#player.open(this.#track());
      return 'again';
    }
    // The visit of a counted listen may be over; the next press starts another one, which is the user's choice.
    this.#isListenStarted &&= !isCounted;
    return after === 'failed' && !isCounted ? 'later' : 'rejected';
  }
}
