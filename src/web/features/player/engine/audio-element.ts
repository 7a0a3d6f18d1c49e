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

/** The dependencies of the player. */
export interface PlayerDeps {
  createElement(): AudioElement;
  /**
   * Requests two bytes at an offset through the app's request wrapper, which may wait for a sign-in. Resolves to
   * true if the request succeeds.
   */
  probe(url: string, atByte: number): Promise<boolean>;
  /** Runs the callback before the next frame. It does not run while the page is hidden. */
  requestFrame(callback: () => void): void;
  /** A monotonic clock. */
  nowMs(): number;
  volume: { read(): number; write(volume: number): void };
  /** The stored choice whether playback skips gaps. */
  skipsGaps: { read(): boolean; write(skipsGaps: boolean): void };
}

/** The events after which status, position or duration may have changed. */
export const observedEvents = [
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

const mediaErrorDecode = 3;

/** Whether a retry is pointless: the bytes arrived but can't be decoded, or they are on this device. */
export const isLost = ({ error }: AudioElement, { url }: { url: string }): boolean =>
  error?.code === mediaErrorDecode || url.startsWith('blob:');

/** The approximate byte offset of a moment in the track's file. */
export function byteAt({ sizeBytes }: { sizeBytes: number }, atMs: number, durationMs: number): number {
  const share = durationMs > 0 ? atMs / durationMs : 0;
  return Math.floor(Math.min(share, 0.99) * sizeBytes);
}
