import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PlayerDeps } from './audio-element.ts';
import { rates, statusOf, stepRate, type Track } from './playback-state.ts';
import { Player } from './player.ts';

/** What Node lacks: an element that keeps the parts of the HTML standard's media rules that the player leans on. */
class FakeAudio extends EventTarget {
  src = '';
  duration = Number.NaN;
  paused = true;
  ended = false;
  readyState = 0;
  error: MediaError | null = null;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  preservesPitch = false;
  preload: '' | 'none' | 'metadata' | 'auto' = '';
  volume = 1;
  muted = false;
  loads = 0;
  #seconds = 0;
  get currentTime(): number { return this.#seconds; }
  set currentTime(value: number) {
    this.#seconds = Math.min(Math.max(0, value), this.duration);
    this.ended = this.#seconds >= this.duration;
    this.#tell('seeked');
  }
  play(): Promise<void> {
    this.paused = false;
    this.#tell('play');
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
    this.#tell('pause');
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
  ready(durationSeconds: number): void {
    this.duration = durationSeconds;
    this.readyState = 4;
    this.#tell('loadedmetadata');
    this.#tell('canplay');
  }
  runTo(seconds: number): void {
    this.#seconds = Math.min(seconds, this.duration);
    this.ended = this.#seconds >= this.duration;
    this.#tell('timeupdate');
    if (this.ended) {
      this.paused = true;
      this.#tell('ended');
    }
  }
  breakOff(code: number): void {
    this.error = { code, message: '', MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 };
    this.#tell('error');
  }
  #tell(name: string): void { this.dispatchEvent(new Event(name)); }
}

const track: Track = { id: 'a', url: '/api/recordings/a/audio', title: 'Interview', durationMs: 60_000, growing: false, sizeBytes: 6000 };

function setUp(probe: PlayerDeps['probe'] = () => Promise.resolve(true)) {
  const audio = new FakeAudio();
  const written: number[] = [];
  const player = new Player({ createElement: () => audio, probe, requestFrame: () => undefined, volume: { read: () => 0.8, write: (volume) => written.push(volume) } });
  return { audio, player, written };
}

describe('positions', () => {
  test('a moment asked for before the length is known is gone to when it is', () => {
    const { audio, player } = setUp();
    player.open(track, 12_345);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'loading' });
    audio.ready(60);
    expect(audio.currentTime).toBeCloseTo(12.345, 6);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'paused' });
  });

  test('after any seek the position reads within 50 ms of what was asked, and never outside the recording', () => {
    fc.assert(fc.property(fc.integer({ min: -100_000, max: 200_000 }), (toMs) => {
      const { audio, player } = setUp();
      player.open(track);
      audio.ready(60);
      player.seek(toMs);
      expect(Math.abs(player.getSnapshot().positionMs - Math.min(Math.max(toMs, 0), 60_000))).toBeLessThanOrEqual(50);
    }));
  });

  test('skips add up from where the sound is', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.skip(30_000);
    player.skip(-10_000);
    expect(player.getSnapshot().positionMs).toBe(20_000);
    player.skip(-30_000);
    expect(player.getSnapshot().positionMs).toBe(0);
  });

  test('a stretch pauses at its end, once', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.seekRange(10_000, 20_000);
    player.play();
    audio.runTo(19.9);
    expect(player.getSnapshot().status).toBe('playing');
    audio.runTo(20.01);
    expect(player.getSnapshot().status).toBe('paused');
    player.play();
    audio.runTo(25);
    expect(player.getSnapshot().status).toBe('playing');
  });
});

describe('playing', () => {
  test('the same recording opened again with news keeps playing untouched', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(5);
    player.open({ ...track, title: 'Interview with Rosa' });
    expect(audio.loads).toBe(1);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 5000, track: { title: 'Interview with Rosa' } });
  });

  test('play after the end begins again', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(60);
    expect(player.getSnapshot().status).toBe('ended');
    player.play();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 0 });
  });

  test('speed survives another recording being opened, and keeps the pitch', () => {
    const { audio, player } = setUp();
    player.open(track);
    player.setRate(1.5);
    player.open({ ...track, id: 'b', url: '/b' });
    expect(audio).toMatchObject({ playbackRate: 1.5, preservesPitch: true });
    player.setRate(9);
    expect(player.getSnapshot().rate).toBe(3);
  });

  test('a volume that was chosen is kept, stays between silence and full, and ends muting', () => {
    const { audio, player, written } = setUp();
    player.open(track);
    expect(audio.volume).toBe(0.8);
    player.toggleMuted();
    player.setVolume(1.4);
    expect(player.getSnapshot()).toMatchObject({ volume: 1, muted: false });
    expect(written).toEqual([1]);
  });

  test('the end of a growing recording waits, and goes on when more has come', () => {
    const { audio, player } = setUp();
    const growing = { ...track, growing: true, durationMs: 10_000 };
    player.open(growing);
    audio.ready(10);
    player.play();
    audio.runTo(10);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...growing, durationMs: 15_000 });
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });
});

describe('a broken line', () => {
  test('is asked about once through the request wrapper, then playing goes on where it was', async () => {
    const probe = vi.fn<PlayerDeps['probe']>().mockResolvedValue(true);
    const { audio, player } = setUp(probe);
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(30);
    audio.breakOff(2);
    expect(player.getSnapshot()).toMatchObject({ status: 'waiting', positionMs: 30_000 });
    await vi.waitFor(() => expect(audio.loads).toBe(2));
    audio.ready(60);
    expect(probe).toHaveBeenCalledExactlyOnceWith(track.url, 3000);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 30_000 });
  });

  test('that breaks again at once is shown, and Try again begins anew', async () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.seek(30_000);
    audio.breakOff(2);
    await vi.waitFor(() => expect(audio.loads).toBe(2));
    audio.breakOff(4);
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network', positionMs: 30_000 });
    player.retry();
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null, positionMs: 30_000 });
  });

  test('is a network failure when the bytes do not come, also when asking throws', async () => {
    const { audio, player } = setUp(() => Promise.reject(new Error('login-cancelled')));
    player.open(track);
    audio.breakOff(4);
    await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' }));
  });

  test('may be recovered again after ten seconds of sound', async () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.play();
    audio.breakOff(2);
    await vi.waitFor(() => expect(audio.loads).toBe(2));
    audio.ready(60);
    audio.runTo(11);
    audio.breakOff(2);
    await vi.waitFor(() => expect(audio.loads).toBe(3));
    expect(player.getSnapshot().failure).toBeNull();
  });

  test('bytes that cannot be decoded are not asked for twice', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.breakOff(3);
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'unplayable' });
  });
});

describe('the rules in small', () => {
  test('a failure outweighs everything, and nothing is nothing', () => {
    const element = { paused: false, ended: false, readyState: 4 };
    expect(statusOf(element, { hasTrack: false, failed: true, recovering: true })).toBe('empty');
    expect(statusOf(element, { hasTrack: true, failed: true, recovering: true })).toBe('failed');
    expect(statusOf({ ...element, readyState: 2 }, { hasTrack: true, failed: false, recovering: false })).toBe('waiting');
  });

  test('speed steps up and down through every speed and stops at both ends', () => {
    let rate: number = rates[0];
    const seen = [rate];
    for (let next = stepRate(rate, 1); next !== rate; next = stepRate(rate, 1)) seen.push(rate = next);
    expect(seen).toEqual([...rates]);
    for (let next = stepRate(rate, -1); next !== rate; next = stepRate(rate, -1)) rate = next;
    expect(rate).toBe(0.5);
  });
});
