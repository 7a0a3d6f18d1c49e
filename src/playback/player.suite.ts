import type { PlayerDeps } from './audio-element.ts';
import { judgeByProbe } from './judge-by-probe.ts';
import { PlaybackRules } from './playback-rules.ts';
import type { Track } from './playback-state.ts';
import { Player } from './player.ts';

/**
 * A test double for the audio element, which Node lacks. It implements the media rules of the HTML standard that
 * the player relies on.
 */
export class FakeAudio extends EventTarget {
  #src = '';
  /** What was set as the source, in order. */
  readonly requests: string[] = [];
  duration = Number.NaN;
  paused = true;
  ended = false;
  seeking = false;
  readyState = 0;
  error: MediaError | null = null;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  preservesPitch = false;
  preload: '' | 'none' | 'metadata' | 'auto' = '';
  volume = 1;
  muted = false;
  loads = 0;
  /** Time that passed while audio was played. */
  playedMs = 0;
  #seconds = 0;
  get src(): string {
    return this.#src;
  }
  set src(url: string) {
    this.#src = url;
    this.requests.push(url);
    this.load();
    this.loads -= 1;
  }
  get currentTime(): number {
    return this.#seconds;
  }
  set currentTime(value: number) {
    this.#seconds = Math.min(Math.max(0, value), this.duration);
    this.ended = this.#seconds >= this.duration;
    this.#notify('seeked');
  }
  play(): Promise<void> {
    this.paused = false;
    this.#notify('play');
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
    this.#notify('pause');
  }
  load(): void {
    this.loads += 1;
    this.readyState = 0;
    this.error = null;
    this.ended = false;
    this.#seconds = 0;
    this.playbackRate = this.defaultPlaybackRate;
    this.paused = true;
    this.duration = Number.NaN;
  }
  /** The duration is known, and the `loadedmetadata` event has not fired yet. */
  knowLength(durationSeconds: number): void {
    this.duration = durationSeconds;
    this.readyState = 4;
    this.#notify('durationchange');
  }
  ready(durationSeconds: number): void {
    this.knowLength(durationSeconds);
    this.#notify('loadedmetadata');
    this.#notify('canplay');
  }
  runTo(seconds: number): void {
    this.playedMs += Math.max(0, seconds - this.#seconds) * 1000;
    this.#seconds = Math.min(seconds, this.duration);
    this.ended = this.#seconds >= this.duration;
    this.#notify('timeupdate');
    if (this.ended) {
      this.paused = true;
      this.#notify('pause');
      this.#notify('ended');
    }
  }
  breakOff(code: number): void {
    this.error = {
      code,
      message: '',
      MEDIA_ERR_ABORTED: 1,
      MEDIA_ERR_NETWORK: 2,
      MEDIA_ERR_DECODE: 3,
      MEDIA_ERR_SRC_NOT_SUPPORTED: 4,
    };
    this.#notify('error');
  }
  #notify(name: string): void {
    this.dispatchEvent(new Event(name));
  }
}

export const track: Track = {
  id: 'a',
  url: '/api/recordings/a/audio',
  title: 'Interview',
  durationMs: 60_000,
  sections: null,
  growing: false,
  sizeBytes: 6000,
  gaps: [],
};

export function setUp(
  probe: Parameters<typeof judgeByProbe>[0] = () => Promise.resolve(true),
  skipsGaps = true,
  { requestFrame = () => undefined, nowMs }: Partial<PlayerDeps> = {},
) {
  const audio = new FakeAudio();
  const written: number[] = [];
  const choices: boolean[] = [];
  const player = new Player({
    createElement: () => audio,
    judgeError: judgeByProbe(probe),
    requestFrame,
    nowMs: nowMs ?? (() => audio.playedMs),
    volume: { read: () => 0.8, write: (volume) => written.push(volume) },
    rules: new PlaybackRules({ read: () => skipsGaps, write: (choice) => choices.push(choice) }),
  });
  return { audio, player, written, choices };
}
