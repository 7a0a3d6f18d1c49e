import { PlaybackStall } from '#audio/playback-stall.ts';
import { second } from '#base/duration.ts';
import { isWorthLoading, type AudioFormat } from './audio-format.ts';
import { audioPartAt, type AudioPart } from './audio-part.ts';

/**
 * What the page may do after a rejection: send the request once more, or show that it failed, or that no format can be
 * played.
 */
export type AfterRejection = 'again' | 'failed' | 'unplayable';

/** The members of HTMLAudioElement that playback uses. */
export type PlayedElement = Pick<
  HTMLAudioElement,
  | 'src'
  | 'currentTime'
  | 'paused'
  | 'muted'
  | 'seeking'
  | 'readyState'
  | 'error'
  | 'preload'
  | 'playbackRate'
  | 'defaultPlaybackRate'
  | 'play'
  | 'pause'
  | 'load'
  | 'addEventListener'
>;

export interface PlaybackDeps {
  audio: PlayedElement;
  /** A second element, which loads what follows while the first one plays. */
  spare: PlayedElement;
  linkPath: string;
  /** The formats that the browser can play, best first; empty if it can play none. */
  formats: readonly AudioFormat[];
  /** The length of the sections in which long audio is played. */
  sectionMs: number;
  /** Whether the whole audio would take long to load. */
  isSlowLine: () => boolean;
  /** Whether the server needs a started listen before it sends audio. */
  isCounted: boolean;
  /** Starts a listen. Resolves to false if the server did not count it. */
  startListen: () => Promise<boolean>;
  /** A monotonic clock. */
  nowMs: () => number;
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
const enoughToPlay = 3;
/** So much is loaded first on a slow line. While it plays, the whole is loaded. */
const headMs = 3.25 * second;
/** So long before the end of what an element knows, the other one loads what has arrived since. */
const loadAheadMs = 4 * second;
/** An element that is nearer to its place is not moved. */
const placeToleranceMs = 50;
const observedEvents = ['playing', 'pause', 'waiting', 'timeupdate', 'seeking', 'seeked', 'canplay'] as const;

/**
 * Plays the audio of a link. A growing recording is loaded again and again, and a long one in sections, by two elements
 * in turn, so that no pause is heard in between. On a slow line, so is a start that the user does not wait for: first a
 * few seconds, then the whole. Times are milliseconds since the start of the shared part.
 */
export class Playback {
  readonly #deps: PlaybackDeps;
  /** The element that plays, and the other one. */
  #audio: PlayedElement;
  #spare: PlayedElement;
  /** What the element has; null until it has something. A growing recording is longer by now. */
  #part: AudioPart | null = null;
  /** What the other element loads; null if it loads nothing. */
  #next: AudioPart | null = null;
  #durationMs: number;
  #isGrowing: boolean;
  #formatIndex = 0;
  /** Where playback starts once the audio is loaded. */
  #startMs = 0;
  #isWanted = false;
  #isListenStarted = false;
  #isStartingListen = false;
  #hasRetried = false;
  #isRejected = false;
  #isFailed = false;
  /** Whether playback resumes once the server responds again. */
  #isResuming = false;
  readonly #stall: PlaybackStall;
  #isStalled = false;
  #awaitsGrowth = false;

  constructor(deps: PlaybackDeps, { durationMs, isGrowing }: { durationMs: number; isGrowing: boolean }) {
    this.#deps = deps;
    this.#stall = new PlaybackStall(deps.nowMs);
    this.#durationMs = durationMs;
    this.#isGrowing = isGrowing;
    this.#audio = deps.audio;
    this.#spare = deps.spare;
    this.#follow(deps.audio);
    this.#follow(deps.spare);
  }

  get durationMs(): number {
    return this.#durationMs;
  }

  get positionMs(): number {
    const [audio, part] = [this.#audio, this.#part];
    const isThere = part !== null && audio.readyState > 0;
    return Math.min(this.#durationMs, isThere ? part.startMs + audio.currentTime * second : this.#startMs);
  }

  /** Whether the user wants to listen, even if no audio has arrived yet. */
  get isRunning(): boolean {
    return this.#isWanted || this.#isResuming;
  }

  get isWaiting(): boolean {
    const isAwaited = this.#isStalled || this.#audio.readyState < enoughToPlay;
    return this.#isWanted && !this.#isFailed && isAwaited;
  }

  /** Whether playback failed, and resumes when `resume` is called. */
  get isResuming(): boolean {
    return this.#isResuming;
  }

  get isFailed(): boolean {
    return this.#isFailed;
  }

  get isUnplayable(): boolean {
    return this.#format === null;
  }

  get #format(): AudioFormat | null {
    return this.#deps.formats[this.#formatIndex] ?? null;
  }

  get isGrowing(): boolean {
    return this.#isGrowing;
  }

  /** Loads the length and the first bytes, so that a press on Play is answered at once. */
  prepare(): void {
    if (this.#deps.isCounted || this.isUnplayable) return;
    this.#load(this.#startMs);
    // With a source already: without one, browsers start to load that of the HTML.
    this.#audio.preload = 'metadata';
  }

  toggle(): void {
    if (this.isRunning) this.pause();
    else this.play();
  }

  /** Resumes after a failure, unless the user has paused: the server responds again. */
  resume(): void {
    if (this.#isResuming) this.play();
  }

  /** Detects a stall that the element does not report. Call it a few times a second while playback runs. */
  checkProgress(): void {
    const wasStalled = this.#isStalled;
    this.#isStalled = this.#stall.hasStalled(this.#isWanted && !this.#isFailed ? this.positionMs : null);
    if (this.#isStalled !== wasStalled) this.#deps.onChange();
  }

  play(): void {
    if (this.isUnplayable) return;
    this.#isWanted = true;
    this.#isFailed = false;
    this.#isResuming = false;
    this.#deps.onChange();
    if (this.#durationMs - this.positionMs < 100 && !this.#isGrowing) this.seek(0);
    // Within the press: WebKit lets an element play later only if it was used in an event of the user.
    if (this.#spare.src === '') this.#spare.load();
    if (this.#deps.isCounted && !this.#isListenStarted) void this.#startCounted();
    else this.#resume();
  }

  pause(): void {
    this.#isWanted = false;
    this.#isResuming = false;
    this.#awaitsGrowth = false;
    this.#audio.pause();
    this.#deps.onChange();
  }

  seek(toMs: number): void {
    const atMs = Math.min(Math.max(0, toMs), this.#durationMs);
    this.#awaitsGrowth = false;
    this.#startMs = atMs;
    // More of it has arrived by the time the end of this part is played.
    if (this.#isGrowing) this.#next = null;
    const part = this.#part;
    if (part && this.#isWithin(part, atMs)) this.#moveTo((atMs - part.startMs) / second);
    else if (this.#next && this.#isWithin(this.#next, atMs) && this.#takeOver(atMs)) this.#goToStart();
    else if (part) this.#load(atMs);
    this.#deps.onChange();
  }

  setSpeed(speed: number): void {
    for (const element of [this.#audio, this.#spare]) {
      element.defaultPlaybackRate = speed;
      element.playbackRate = speed;
    }
  }

  /** The recording became longer, or complete. */
  grow({ durationMs, isGrowing }: { durationMs: number; isGrowing: boolean }): void {
    this.#durationMs = durationMs;
    this.#isGrowing = isGrowing;
    const atMs = this.#part?.endMs ?? 0;
    if (this.#awaitsGrowth && isWorthLoading(durationMs - atMs, isGrowing)) this.#load(atMs);
    else if (this.#awaitsGrowth && !isGrowing) this.#finish();
    this.#deps.onChange();
  }

  #follow(element: PlayedElement): void {
    const ifPlayed = (handle: () => void) => () => {
      if (element === this.#audio) handle();
    };
    for (const event of observedEvents)
      element.addEventListener(
        event,
        ifPlayed(() => {
          this.#hearIfPlaced();
          this.#deps.onChange();
        }),
      );
    element.addEventListener(
      'timeupdate',
      ifPlayed(() => {
        this.checkProgress();
        this.#loadAhead();
      }),
    );
    element.addEventListener('loadedmetadata', () => {
      if (element === this.#audio) this.#goToStart();
      else if (this.#part && this.#next)
        element.currentTime = (this.#part.endMs - this.#next.startMs) / second;
    });
    element.addEventListener(
      'playing',
      ifPlayed(() => {
        this.#hasRetried = false;
        this.#loadAhead();
      }),
    );
    element.addEventListener(
      'ended',
      ifPlayed(() => this.#handleEnd()),
    );
    element.addEventListener(
      'error',
      ifPlayed(() => void this.#handleError()),
    );
  }

  /** The link may be used up, or need its password again; then the listen is started at most once more. */
  async #startListen(): Promise<boolean> {
    const { startListen, onRejected } = this.#deps;
    if (await startListen()) return true;
    return (await onRejected(null)) === 'again' && startListen();
  }

  async #startCounted(): Promise<void> {
    if (this.#isStartingListen) return;
    this.#isStartingListen = true;
    this.#audio.load();
    this.#isListenStarted = await this.#startListen();
    this.#isStartingListen = false;
    if (!this.#isListenStarted) this.#fail();
    else if (this.#isWanted) this.#resume();
  }

  #resume(): void {
    if (!this.#isListenStarted) {
      this.#isListenStarted = true;
      void this.#deps.startListen();
    }
    if (this.#isHeadQuicker()) this.#loadPart(this.#headPart());
    else if (this.#part === null) this.#load(this.#startMs);
    else this.#start();
  }

  /**
   * Whether the first seconds arrive sooner than the rest of what an element needs: of a whole file browsers read the
   * end before they play its start.
   */
  #isHeadQuicker(): boolean {
    const isUnloaded = this.#part === null || (this.#part.endMs !== headMs && this.#audio.readyState === 0);
    const isWhole = this.#format === 'ogg' && !this.#isGrowing && this.#durationMs > 2 * headMs;
    return isUnloaded && isWhole && this.#startMs === 0 && this.#deps.isSlowLine();
  }

  #headPart(): AudioPart {
    return { url: `${this.#deps.linkPath}/audio?until=${headMs}`, startMs: 0, endMs: headMs };
  }

  #start(): void {
    this.#audio.play().catch((error: unknown) => {
      // A new load aborts the play before it; everything else arrives as an error of the element.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.pause();
    });
  }

  #partAt(atMs: number): AudioPart {
    const { linkPath, sectionMs } = this.#deps;
    const format = this.#format ?? 'ogg';
    const [durationMs, isGrowing] = [this.#durationMs, this.#isGrowing];
    return audioPartAt(atMs, { linkPath, format, durationMs, isGrowing, sectionMs });
  }

  #load(atMs: number): void {
    this.#startMs = atMs;
    this.#loadPart(this.#partAt(atMs));
  }

  #loadPart(part: AudioPart): void {
    this.#part = part;
    this.#next = null;
    this.#awaitsGrowth = false;
    this.#audio.src = part.url;
    this.#holdUntilPlaced();
    if (this.#isWanted) this.#start();
  }

  /** Lets the other element load what follows: the next section, or what has arrived since this one was loaded. */
  #loadAhead(): void {
    const [part, spare] = [this.#part, this.#spare];
    if (!part || !this.#isWanted || this.#next !== null) return;
    const isNear = part.endMs - this.positionMs < loadAheadMs;
    if (!isNear || !isWorthLoading(this.#durationMs - part.endMs, this.#isGrowing)) return;
    this.#next = this.#partAt(part.endMs);
    spare.preload = 'auto';
    spare.src = this.#next.url;
  }

  #isWithin({ startMs, endMs }: AudioPart, atMs: number): boolean {
    return startMs <= atMs && (atMs < endMs || endMs >= this.#durationMs);
  }

  /** Continues with the other element, at once or as soon as it has loaded. Returns false if it loads nothing. */
  #takeOver(atMs: number): boolean {
    if (this.#next === null || this.#spare.error !== null) return false;
    this.#audio.pause();
    [this.#audio, this.#spare] = [this.#spare, this.#audio];
    this.#startMs = atMs;
    this.#part = this.#next;
    this.#next = null;
    this.#holdUntilPlaced();
    if (this.#isWanted) this.#start();
    return true;
  }

  #goToStart(): void {
    const [audio, atMs] = [this.#audio, this.#startInPartMs];
    if (Math.abs(audio.currentTime * second - atMs) > placeToleranceMs) audio.currentTime = atMs / second;
    this.#hearIfPlaced();
    this.#deps.onChange();
  }

  get #startInPartMs(): number {
    return this.#startMs - (this.#part?.startMs ?? 0);
  }

  /** An element without metadata is moved once it has them. WebKitGTK may stay silent if it is moved before. */
  #moveTo(atSeconds: number): void {
    if (this.#audio.readyState > 0) this.#audio.currentTime = atSeconds;
    else this.#holdUntilPlaced();
  }

  /** An element that plays before it has metadata starts at its beginning, which must not be heard. */
  #holdUntilPlaced(): void {
    this.#audio.muted = this.#audio.readyState === 0 && this.#startInPartMs > placeToleranceMs;
  }

  #hearIfPlaced(): void {
    if (this.#audio.readyState > 0 && !this.#audio.seeking) this.#audio.muted = false;
  }

  #handleEnd(): void {
    // A browser's own position may be some milliseconds off, which at the end of a section is in the wrong one.
    const atMs = this.#part?.endMs ?? this.#durationMs;
    if (!this.#takeOver(atMs)) {
      if (isWorthLoading(this.#durationMs - atMs, this.#isGrowing)) this.#load(atMs);
      else if (this.#isGrowing) this.#awaitsGrowth = true;
      else this.#finish();
    }
    this.#deps.onChange();
  }

  #finish(): void {
    this.#isWanted = false;
    this.#awaitsGrowth = false;
    this.#deps.onWhole();
  }

  /** @param isResuming whether playback resumes once the server responds again */
  #fail(isResuming = false): void {
    this.#isFailed = true;
    this.#isResuming = isResuming && this.#isWanted;
    this.#isWanted = false;
    this.#part = null;
    this.#deps.onChange();
  }

  /** The rejected request is sent at most once more; after that only the user's press sends it. */
  async #handleError(): Promise<void> {
    const { error } = this.#audio;
    if (error === null || this.#isRejected) return;
    const { code } = error;
    const atMs = this.positionMs;
    this.#isRejected = true;
    const after = await this.#deps.onRejected(this.#format);
    this.#isRejected = false;
    this.#startMs = atMs;
    const hasOther = code === mediaErrorUnsupported && this.#formatIndex < this.#deps.formats.length - 1;
    if (after === 'again' && this.#hasRetried && hasOther) {
      this.#formatIndex += 1;
      this.#hasRetried = false;
      this.#load(atMs);
    } else if (after === 'again' && !this.#hasRetried) {
      this.#hasRetried = true;
      this.#load(atMs);
    } else {
      if (after === 'unplayable') this.#formatIndex = this.#deps.formats.length;
      // The visit of a counted listen may be over; the next press starts another one.
      this.#isListenStarted &&= !this.#deps.isCounted;
      // Another listen is the user's choice if listens are counted.
      this.#fail(after === 'failed' && !this.#deps.isCounted);
    }
  }
}
