import type { PlaybackRules } from './playback-rules.ts';
import type { AudioPart, Track } from './playback-state.ts';

/** The members of HTMLAudioElement that the player uses. */
export type AudioElement = Pick<
  HTMLAudioElement,
  | 'src'
  | 'currentTime'
  | 'duration'
  | 'paused'
  | 'ended'
  | 'seeking'
  | 'readyState'
  | 'error'
  | 'playbackRate'
  | 'defaultPlaybackRate'
  | 'preservesPitch'
  | 'preload'
  | 'volume'
  | 'muted'
  | 'play'
  | 'pause'
  | 'load'
  | 'addEventListener'
>;

/** An element could not load or decode its audio, or a further attempt is due. */
export interface FailedLoad {
  /** `MediaError.code`; null for a further attempt. */
  code: number | null;
  track: Track;
  atMs: number;
  durationMs: number;
  /** It fails again, soon after it was loaded again. */
  isRepeated: boolean;
}

/** What follows a load that failed: `again` at once, `later` until it succeeds, or a failure that stays. */
export type AfterError = 'again' | 'later' | 'rejected' | 'unplayable';

/** The dependencies of the player. */
export interface PlayerDeps {
  /** Called once; twice if the player loads ahead. */
  createElement(): AudioElement;
  /**
   * Decides what follows a load that failed. An element does not say why it failed (a 401 looks like a network error),
   * so this may ask the server, and wait for a sign-in.
   */
  judgeError(error: FailedLoad): AfterError | Promise<AfterError>;
  /** Runs the callback before the state is next shown, such as before the next frame. */
  requestFrame(callback: () => void): void;
  /** A monotonic clock. */
  nowMs(): number;
  /** The stored volume, 0 to 1. Without it, the volume is 1. */
  volume?: { read(): number; write(volume: number): void };
  /** What playback skips, repeats, and where it pauses. Without them, it plays everything once. */
  rules?: PlaybackRules;
  /** Whether a second element loads what follows, so that no pause is heard in between. */
  loadsAhead?: boolean;
  /** The first seconds of a track, if they arrive much sooner than all of it; otherwise null. */
  firstPart?(track: Track): AudioPart | null;
}

/** The events after which status, position or duration may have changed. */
const observedEvents = [
  'play',
  'pause',
  'playing',
  'waiting',
  'seeking',
  'seeked',
  'timeupdate',
  'durationchange',
  'ratechange',
  'volumechange',
  'canplay',
  'emptied',
] as const;

/** Calls the handlers for events of an element as long as it is the one that plays. */
export function handleEvents(
  element: AudioElement,
  isPlaying: () => boolean,
  { observe, ...handlers }: Record<'observe' | 'loadedmetadata' | 'ended' | 'error', () => void>,
): void {
  const all = [...observedEvents.map((name) => [name, observe] as const), ...Object.entries(handlers)];
  for (const [name, handler] of all)
    element.addEventListener(name, () => {
      if (isPlaying()) handler();
    });
}
