/** The members of HTMLAudioElement that the player drives. */
export type AudioElement = Pick<
  HTMLAudioElement,
  | 'src'
  | 'currentTime'
  | 'duration'
  | 'paused'
  | 'ended'
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

/** What the player needs of the world around it. */
export interface PlayerDeps {
  createElement(): AudioElement;
  /**
   * Asks for two bytes at an offset through the app's request wrapper, which may wait for a sign-in; true
   * when they came.
   */
  probe(url: string, atByte: number): Promise<boolean>;
  /** Calls back before the next frame; not while the page is hidden. */
  requestFrame(callback: () => void): void;
  volume: { read(): number; write(volume: number): void };
  /** Whether gaps are jumped over, as it was chosen last. */
  skipsGaps: { read(): boolean; write(skipsGaps: boolean): void };
}

/** Everything after which the status, the position or the length may read differently. */
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

/** Bytes that came and cannot be decoded, or that lie on this device: asking again brings nothing new. */
export const isLost = ({ error }: AudioElement, { url }: { url: string }): boolean =>
  error?.code === mediaErrorDecode || url.startsWith('blob:');

/** About where in its file a moment of a track lies. */
export function byteAt({ sizeBytes }: { sizeBytes: number }, atMs: number, durationMs: number): number {
  const share = durationMs > 0 ? atMs / durationMs : 0;
  return Math.floor(Math.min(share, 0.99) * sizeBytes);
}
