import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { judgeByProbe } from './judge-by-probe.ts';
import { rates, statusOf, stepRate, type Track } from './playback-state.ts';
import type { Player } from './player.ts';
import { setUp, track } from './player.suite.ts';

type Probe = Parameters<typeof judgeByProbe>[0];

/** Plays a live recording of which ten seconds have arrived, from its start to a moment. */
function playGrowing(toSeconds: number, durationMs = 10_000) {
  const { audio, player } = setUp();
  const growing = { ...track, growing: true, durationMs };
  player.open(growing);
  const firstUrl = audio.src;
  audio.ready(10);
  player.play();
  audio.runTo(toSeconds);
  return { audio, player, growing, firstUrl };
}

describe('positions', () => {
  test('seeks to a position requested before the duration is known, once it is known', () => {
    const { audio, player } = setUp();
    player.open(track, 12_345);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'loading' });
    audio.ready(60);
    expect(audio.currentTime).toBeCloseTo(12.345, 6);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'paused' });
  });

  test('uses the later of two positions requested around the time the duration becomes known', () => {
    const { audio, player } = setUp();
    player.open(track);
    player.skip(1000);
    audio.knowLength(60);
    player.skip(1000);
    expect(player.positionMs()).toBe(2000);
    audio.ready(60);
    expect(audio.currentTime).toBeCloseTo(2, 6);
    player.skip(-500);
    expect(player.getSnapshot().positionMs).toBe(1500);
  });

  test('reports a position within 50 ms of the target after any seek, never outside the recording', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 200_000 }), (toMs) => {
        const { audio, player } = setUp();
        player.open(track);
        audio.ready(60);
        player.seek(toMs);
        expect(
          Math.abs(player.getSnapshot().positionMs - Math.min(Math.max(toMs, 0), 60_000)),
        ).toBeLessThanOrEqual(50);
      }),
    );
  });

  test('reports the end of the recording where its audio is a packet longer', () => {
    const { audio, player } = setUp();
    player.open({ ...track, durationMs: 1990 });
    audio.ready(2.01);
    player.play();
    audio.runTo(2.01);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 1990, durationMs: 1990 });
  });

  test('adds skips up from the current position', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.skip(30_000);
    player.skip(-10_000);
    expect(player.getSnapshot().positionMs).toBe(20_000);
    player.skip(-30_000);
    expect(player.getSnapshot().positionMs).toBe(0);
  });

  test('pauses once at the end of a range', () => {
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
  test('keeps playing without interruption when the same recording is opened again with updates', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(5);
    player.open({ ...track, title: 'Interview with Rosa' });
    expect(audio.loads).toBe(1);
    expect(player.getSnapshot()).toMatchObject({
      status: 'playing',
      positionMs: 5000,
      track: { title: 'Interview with Rosa' },
    });
  });

  test('starts over on Play after the end', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(60);
    expect(player.getSnapshot().status).toBe('ended');
    player.play();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 0 });
  });

  test('keeps the speed and the pitch when another recording is opened', () => {
    const { audio, player } = setUp();
    player.open(track);
    player.setRate(1.5);
    player.open({ ...track, id: 'b', url: '/b' });
    expect(audio).toMatchObject({ playbackRate: 1.5, preservesPitch: true });
    player.setRate(9);
    expect(player.getSnapshot().rate).toBe(3);
  });

  test('stores the chosen volume, clamps it to 0 to 1, and unmutes', () => {
    const { audio, player, written } = setUp();
    player.open(track);
    expect(audio.volume).toBe(0.8);
    player.toggleMuted();
    player.setVolume(1.4);
    expect(player.getSnapshot()).toMatchObject({ volume: 1, muted: false });
    expect(written).toEqual([1]);
  });

  test('waits at the end of a live recording, and continues when more audio has arrived', () => {
    const { audio, player, growing } = playGrowing(10);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...growing, durationMs: 15_000 });
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test('loads newly arrived audio when the loaded part ends, from a URL that is not in the cache', () => {
    const { audio, player, growing, firstUrl } = playGrowing(9);
    player.open({ ...growing, durationMs: 15_000 });
    expect(audio.loads).toBe(1);
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(audio.src).not.toBe(firstUrl);
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test('does not load again after a load that brought nothing new, until the recording is updated', () => {
    const { audio, player, growing } = playGrowing(10, 15_000);
    audio.ready(10);
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...growing, durationMs: 17_000 });
    expect(audio.loads).toBe(3);
  });

  test('plays a live recording that becomes complete to its end, and ends there', () => {
    const { audio, player } = playGrowing(8);
    player.open({ ...track, durationMs: 12_000 });
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(audio.src).toBe(track.url);
    audio.ready(12);
    audio.runTo(12);
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('stops waiting when the live recording ends there', () => {
    const { player } = playGrowing(10);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...track, durationMs: 10_020 });
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('plays after a seek back while waiting, and waits again at the same end', () => {
    const { player } = playGrowing(10);
    player.skip(30_000);
    expect(player.getSnapshot().status).toBe('waiting');
    player.skip(-5000);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 5000 });
  });

  test('pauses while waiting without ending, and waits again after Play', () => {
    const { audio, player, growing } = playGrowing(10);
    player.pause();
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', positionMs: 10_000 });
    player.play();
    expect(player.getSnapshot()).toMatchObject({ status: 'waiting', positionMs: 10_000 });
    player.open({ ...growing, durationMs: 15_000 });
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test.each<[string, Track, (player: Player) => void]>([
    ['of a loop', track, (player) => player.setLoop({ fromMs: 0, toMs: 60_000 })],
    [
      'of a part',
      { ...track, growing: true },
      (player) => player.open({ ...track, growing: true, durationMs: 90_000 }),
    ],
  ])('the end %s is never told as an end', (_which, opened, then) => {
    const { audio, player } = setUp();
    player.open(opened);
    audio.ready(60);
    player.play();
    audio.runTo(30);
    then(player);
    const seen = new Set<string>();
    player.subscribe(() => seen.add(player.getSnapshot().status));
    audio.runTo(60);
    expect([...seen]).not.toContain('ended');
  });
});

describe('a recording whose sound is somewhere else now', () => {
  const onDevice = { ...track, url: 'blob:a' };

  /** Plays the server's ten seconds up to the fifth, while the device turns out to have it all. */
  function playElsewhere() {
    const { audio, player } = setUp();
    player.open({ ...track, durationMs: 10_000 });
    audio.ready(10);
    player.play();
    audio.runTo(5);
    player.open(onDevice);
    return { audio, player };
  }

  test('plays on, and the rest from there', () => {
    const { audio, player } = playElsewhere();
    expect([audio.loads, player.getSnapshot().status]).toEqual([1, 'playing']);
    audio.runTo(10);
    expect([audio.loads, audio.src]).toEqual([2, 'blob:a']);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
    audio.runTo(60);
    expect([audio.loads, player.getSnapshot().status]).toEqual([2, 'ended']);
  });

  test('is played from there right after the place at which it was loaded', () => {
    const { audio, player, growing } = playGrowing(10, 15_000);
    audio.ready(10.5);
    player.open({ ...growing, ...onDevice });
    audio.runTo(10.5);
    expect(audio.src).toBe('blob:a');
  });

  test('can be sought there beyond what was loaded', () => {
    const { audio, player } = playElsewhere();
    player.seek(40_000);
    expect(audio.src).toBe('blob:a');
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 40_000 });
  });

  test('continues from there if it waited for more', () => {
    const { audio, player } = playGrowing(10);
    player.open(onDevice);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test.each([
    ['device', track, onDevice],
    ['server', onDevice, track],
  ])('continues from the %s when what was loaded fails', async (_which, before, now) => {
    const probe = vi.fn<Probe>(() => Promise.resolve(false));
    const { audio, player } = setUp(probe);
    player.open(before);
    audio.ready(60);
    player.play();
    audio.runTo(30);
    player.open(now);
    audio.breakOff(2);
    await vi.waitFor(() => expect(audio.src).toBe(now.url));
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null, positionMs: 30_000 });
    expect(probe).not.toHaveBeenCalled();
  });

  test('continues from the server after the copy on this device has failed', () => {
    const { audio, player } = setUp();
    player.open(onDevice);
    audio.ready(60);
    player.play();
    audio.runTo(30);
    audio.breakOff(2);
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'unplayable' });
    player.open(track);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null, positionMs: 30_000 });
  });

  test('continues from there while a failure is looked into', () => {
    const { audio, player } = setUp(() => new Promise(() => {}));
    player.open(track);
    audio.ready(60);
    player.play();
    audio.runTo(30);
    audio.breakOff(2);
    player.open(onDevice);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 30_000 });
  });
});

describe('a network error', () => {
  test('is probed once through the request wrapper, then playback continues where it was', async () => {
    const probe = vi.fn<Probe>().mockResolvedValue(true);
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

  test('is shown when it recurs immediately, and Try again resumes at the same position', async () => {
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

  test('is shown as a network failure when the probe fails or throws', async () => {
    const { audio, player } = setUp(() => Promise.reject(new Error('login-cancelled')));
    player.open(track);
    audio.breakOff(4);
    await vi.waitFor(() =>
      expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' }),
    );
  });

  test('may be recovered again after ten seconds of playback', async () => {
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

  test("does not retry bytes that can't be decoded", () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.breakOff(3);
    expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'unplayable' });
  });
});

/** The network fails at thirty seconds during playback; the probe is sent and awaited. */
function failDuringPlayback() {
  const answer = Promise.withResolvers<boolean>();
  const tools = setUp(() => answer.promise);
  tools.player.open(track);
  tools.audio.ready(60);
  tools.player.play();
  tools.audio.runTo(30);
  tools.audio.breakOff(2);
  const come = async () => {
    answer.resolve(true);
    await vi.waitFor(() => expect(tools.audio.loads).toBe(2));
    tools.audio.ready(60);
  };
  return { ...tools, answer, come };
}

describe('during the probe after a network error', () => {
  test('keeps a pause, and seeks to the position chosen in the meantime', async () => {
    const { player, come } = failDuringPlayback();
    player.toggle();
    expect(player.getSnapshot().status).toBe('paused');
    player.seek(5000);
    await come();
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', positionMs: 5000 });
  });

  test('plays when the probe succeeds if Play was pressed after a pause', async () => {
    const { player, come } = failDuringPlayback();
    player.toggle();
    player.toggle();
    expect(player.getSnapshot().status).toBe('waiting');
    await come();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 30_000 });
  });

  test('does not change a player that was closed and opened again', async () => {
    const { audio, player, answer } = failDuringPlayback();
    player.close();
    player.open(track);
    audio.ready(60);
    answer.resolve(true);
    await answer.promise;
    await Promise.resolve();
    expect(audio.loads).toBe(2);
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', positionMs: 0 });
  });

  test('Try again starts at the position chosen after the failure', async () => {
    const { audio, player, answer } = failDuringPlayback();
    answer.resolve(false);
    await vi.waitFor(() => expect(player.getSnapshot().failure).toBe('network'));
    player.seek(5000);
    player.retry();
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 5000 });
  });
});

describe('audio that could not be loaded', () => {
  /** The network fails during playback, and the probe after it; `isBack` answers the later ones. */
  async function failed(isPlaying = true) {
    const back = { isBack: false };
    const probe = vi.fn<Probe>(() => Promise.resolve(back.isBack));
    const tools = setUp(probe);
    tools.player.open(track);
    tools.audio.ready(60);
    if (isPlaying) tools.player.play();
    tools.audio.runTo(30);
    tools.audio.breakOff(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(tools.player.getSnapshot().failure).toBe('network');
    return { ...tools, back, probe };
  }

  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('is requested again with growing waits, and playback resumes by itself', async () => {
    const { player, audio, back, probe } = await failed();
    expect(player.getSnapshot().status).toBe('waiting');
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(probe.mock.calls.length).toBeLessThan(90);
    back.isBack = true;
    await vi.advanceTimersByTimeAsync(60_000);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null, positionMs: 30_000 });
  });

  test('is loaded at once when the server can be reached again', async () => {
    const { player, audio, back } = await failed();
    await vi.advanceTimersByTimeAsync(60_000);
    back.isBack = true;
    player.nudge();
    await vi.advanceTimersByTimeAsync(0);
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', failure: null });
  });

  test('does not play if it was paused before or since', async () => {
    const before = await failed(false);
    const since = await failed();
    expect(before.player.getSnapshot().status).toBe('failed');
    since.player.toggle();
    expect(since.player.getSnapshot().status).toBe('failed');
    for (const { player, audio, back } of [before, since]) {
      back.isBack = true;
      player.nudge();
      await vi.advanceTimersByTimeAsync(0);
      audio.ready(60);
      expect(player.getSnapshot()).toMatchObject({ status: 'paused', failure: null, positionMs: 30_000 });
    }
  });

  test('is loaded when it is somewhere else, or the server has more of it', async () => {
    const moved = await failed();
    moved.player.open({ ...track, url: '/api/recordings/a/audio?copy' });
    moved.audio.ready(60);
    expect(moved.player.getSnapshot()).toMatchObject({ status: 'playing', failure: null });

    const grown = await failed(false);
    grown.back.isBack = true;
    grown.player.open({ ...track, sizeBytes: 9000 });
    await vi.advanceTimersByTimeAsync(0);
    expect(grown.player.getSnapshot().failure).toBeNull();
  });

  test('that cannot be played on this device is loaded from the server once it is there', () => {
    const { audio, player } = setUp();
    player.open({ ...track, url: 'blob:a' });
    audio.ready(60);
    player.play();
    audio.breakOff(4);
    expect(player.getSnapshot().failure).toBe('unplayable');
    player.open(track);
    expect(player.getSnapshot().failure).toBeNull();
    expect(audio.src).toBe(track.url);
  });

  test('is not requested again after the player was closed', async () => {
    const { player, probe } = await failed();
    const { length } = probe.mock.calls;
    player.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(probe).toHaveBeenCalledTimes(length);
  });
});

test('waits after a second without progress, also if the element reports nothing', () => {
  const frames: (() => void)[] = [];
  let nowMs = 0;
  const { audio, player } = setUp(undefined, true, {
    requestFrame: (callback) => frames.push(callback),
    nowMs: () => nowMs,
  });
  const pass = (ms: number) => {
    nowMs += ms;
    frames.shift()?.();
  };
  player.open(track);
  audio.ready(60);
  player.play();
  audio.runTo(30);
  pass(900);
  expect(player.getSnapshot().status).toBe('playing');
  pass(200);
  expect(player.getSnapshot().status).toBe('waiting');
  audio.runTo(30.2);
  expect(player.getSnapshot().status).toBe('playing');
  player.pause();
  nowMs += 5000;
  player.play();
  expect(player.getSnapshot().status).toBe('playing');
});

describe('status and speed', () => {
  test('reports a failure before anything else, and empty without a track', () => {
    const element = { paused: false, ended: false, readyState: 4 };
    expect(statusOf(element, { hasTrack: false, failed: true, recovering: true })).toBe('empty');
    expect(statusOf(element, { hasTrack: true, failed: true, recovering: true })).toBe('failed');
    expect(
      statusOf({ ...element, readyState: 2 }, { hasTrack: true, failed: false, recovering: false }),
    ).toBe('waiting');
  });

  test('steps through every speed in both directions and stops at both ends', () => {
    let rate: number = rates[0];
    const seen = [rate];
    for (let next = stepRate(rate, 1); next !== rate; next = stepRate(rate, 1)) seen.push((rate = next));
    expect(seen).toEqual([...rates]);
    for (let next = stepRate(rate, -1); next !== rate; next = stepRate(rate, -1)) rate = next;
    expect(rate).toBe(0.5);
  });
});

describe('gaps', () => {
  const lost = { atMs: 10_000, durationMs: 1400, cause: 'microphone-lost' } as const;
  const slept = { atMs: 11_400, durationMs: 20_000, cause: 'device-slept' } as const;
  const breath = { atMs: 50_000, durationMs: 120, cause: 'unknown' } as const;
  const gapped: Track = { ...track, gaps: [lost, slept, breath] };
  const playing = (skipsGaps = true) => {
    const tools = setUp(undefined, skipsGaps);
    tools.player.open(gapped);
    tools.audio.ready(60);
    tools.player.play();
    return tools;
  };

  test('skips consecutive gaps in one step, and reports the longest of them', () => {
    const { audio, player } = playing();
    audio.runTo(9.99);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 9990, gap: null, skippedGap: null });
    audio.runTo(10.02);
    expect(player.getSnapshot()).toMatchObject({
      positionMs: 31_400,
      gap: null,
      skippedGap: slept,
      status: 'playing',
    });
  });

  test('shows a skipped gap for a few seconds, and not after a seek elsewhere', () => {
    const { audio, player } = playing();
    audio.runTo(10.02);
    audio.runTo(36);
    expect(player.getSnapshot().skippedGap).toBeNull();
    player.seek(9000);
    audio.runTo(10.1);
    expect(player.getSnapshot().skippedGap).toEqual(slept);
    player.seek(500);
    expect(player.getSnapshot().skippedGap).toBeNull();
  });

  test('plays gaps as silence if chosen, and stores the choice', () => {
    const { audio, player, choices } = playing(false);
    audio.runTo(10.5);
    expect(player.getSnapshot()).toMatchObject({
      positionMs: 10_500,
      gap: lost,
      skippedGap: null,
      skipsGaps: false,
    });
    player.setSkipsGaps(true);
    expect(player.getSnapshot().positionMs).toBe(31_400);
    expect(choices).toEqual([true]);
  });

  test('plays through a gap shorter than 0.3 s', () => {
    const { audio, player } = playing();
    audio.runTo(50.05);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 50_050, gap: breath, skippedGap: null });
  });

  test('stays in a gap after a seek until playback starts', () => {
    const { audio, player } = setUp();
    player.open(gapped);
    audio.ready(60);
    player.seek(20_000);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 20_000, gap: slept, status: 'paused' });
    player.play();
    expect(player.getSnapshot()).toMatchObject({ positionMs: 31_400, status: 'playing' });
  });

  test('ends the recording at a gap at its end', () => {
    const { audio, player } = setUp();
    player.open({ ...track, gaps: [{ atMs: 58_000, durationMs: 2000, cause: 'page-killed' }] });
    audio.ready(60);
    player.play();
    audio.runTo(58.1);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 60_000, status: 'ended' });
  });

  test('never plays inside a gap that is long enough to skip', () => {
    const gap = fc.record({
      atMs: fc.integer({ min: 0, max: 59_000 }),
      durationMs: fc.integer({ min: 300, max: 8000 }),
    });
    fc.assert(
      fc.property(fc.array(gap, { maxLength: 8 }), fc.integer({ min: 0, max: 59_999 }), (found, atMs) => {
        const { audio, player } = setUp();
        const gaps = found.map((one) => ({ ...one, cause: 'unknown' as const }));
        player.open({ ...track, gaps });
        audio.ready(60);
        player.play();
        audio.runTo(atMs / 1000);
        const { positionMs } = player.getSnapshot();
        const inside = gaps.filter(
          (one) => positionMs >= one.atMs && positionMs < Math.min(60_000, one.atMs + one.durationMs) - 20,
        );
        expect(inside).toEqual([]);
      }),
    );
  });
});

describe('a loop', () => {
  const looping = () => {
    const tools = setUp();
    tools.player.open(track);
    tools.audio.ready(60);
    tools.player.setLoop({ fromMs: 10_000, toMs: 20_000 });
    return tools;
  };

  test('restarts at its end, repeatedly', () => {
    const { audio, player } = looping();
    player.seek(12_000);
    player.play();
    for (let round = 0; round < 3; round += 1) {
      audio.runTo(19);
      audio.runTo(20);
      expect(player.getSnapshot()).toMatchObject({ positionMs: 10_000, status: 'playing' });
    }
  });

  test('is left by a seek beyond its end, and entered again by a seek back', () => {
    const { audio, player } = looping();
    player.play();
    player.seek(30_000);
    audio.runTo(40);
    expect(player.getSnapshot().positionMs).toBe(40_000);
    player.seek(5000);
    audio.runTo(21);
    expect(player.getSnapshot().positionMs).toBe(10_000);
  });

  test('restarts at the end of the recording if it covers all of it', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.setLoop({ fromMs: 0, toMs: 60_000 });
    player.play();
    audio.runTo(60);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 0, status: 'playing' });
  });
});

describe('silence', () => {
  const silences = [
    { fromMs: 5000, toMs: 8000 },
    { fromMs: 30_000, toMs: 31_000 },
  ];

  test('is skipped during playback, not on a seek', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(60);
    player.setSilences(silences);
    player.seek(6000);
    expect(player.getSnapshot().positionMs).toBe(6000);
    player.play();
    expect(player.getSnapshot().positionMs).toBe(8000);
    audio.runTo(30.001);
    expect(player.getSnapshot().positionMs).toBe(31_000);
  });

  test('that contains a gap reports the gap', () => {
    const { audio, player } = setUp();
    const gap = { atMs: 6000, durationMs: 1400, cause: 'microphone-lost' as const };
    player.open({ ...track, gaps: [gap] });
    audio.ready(60);
    player.setSilences(silences);
    player.play();
    audio.runTo(5.01);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 8000, skippedGap: gap });
  });
});

test('leaves the chosen volume unchanged while fading out', () => {
  const { audio, player, written } = setUp();
  player.open(track);
  player.setFade(0.5);
  expect(audio.volume).toBeCloseTo(0.4);
  expect(player.getSnapshot().volume).toBe(0.8);
  player.setFade(1);
  expect([audio.volume, written]).toEqual([0.8, []]);
});

test('has nothing to play after close, and opens the same recording again', () => {
  const { audio, player } = setUp();
  player.open(track);
  audio.ready(60);
  player.play();
  player.close();
  expect([audio.paused, player.getSnapshot().status]).toEqual([true, 'empty']);
  player.open(track);
  expect(audio.loads).toBe(2);
});
