import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PlayerDeps } from './audio-element.ts';
import { rates, statusOf, stepRate, type Track } from './playback-state.ts';
import type { Player } from './player.ts';
import { setUp, track } from './player.suite.ts';

/** Listens to a recording that grows, of which ten seconds have come, from its beginning to a moment. */
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
  test('a moment asked for before the length is known is gone to when it is', () => {
    const { audio, player } = setUp();
    player.open(track, 12_345);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'loading' });
    audio.ready(60);
    expect(audio.currentTime).toBeCloseTo(12.345, 6);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 12_345, status: 'paused' });
  });

  test('of two moments asked for around the time when the length becomes known the later one holds', () => {
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

  test('after any seek the position reads within 50 ms of what was asked, and never outside the recording', () => {
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
    expect(player.getSnapshot()).toMatchObject({
      status: 'playing',
      positionMs: 5000,
      track: { title: 'Interview with Rosa' },
    });
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
    const { audio, player, growing } = playGrowing(10);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...growing, durationMs: 15_000 });
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test('what has come meanwhile is loaded as soon as the part before it ends, from an address that the browser has nothing of', () => {
    const { audio, player, growing, firstUrl } = playGrowing(9);
    player.open({ ...growing, durationMs: 15_000 });
    expect(audio.loads).toBe(1);
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(audio.src).not.toBe(firstUrl);
    audio.ready(15);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 10_000 });
  });

  test('a load that brought nothing more is not followed by another until there is news', () => {
    const { audio, player, growing } = playGrowing(10, 15_000);
    audio.ready(10);
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...growing, durationMs: 17_000 });
    expect(audio.loads).toBe(3);
  });

  test('a recording that becomes whole while it is heard is heard to its end, and ends there', () => {
    const { audio, player } = playGrowing(8);
    player.open({ ...track, durationMs: 12_000 });
    audio.runTo(10);
    expect(audio.loads).toBe(2);
    expect(audio.src).toBe(track.url);
    audio.ready(12);
    audio.runTo(12);
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('whoever waits for more of a recording that ends there waits no longer', () => {
    const { player } = playGrowing(10);
    expect(player.getSnapshot().status).toBe('waiting');
    player.open({ ...track, durationMs: 10_020 });
    expect(player.getSnapshot().status).toBe('ended');
  });

  test('going back while more is waited for plays on from there; going on to the same end waits on', () => {
    const { player } = playGrowing(10);
    player.skip(30_000);
    expect(player.getSnapshot().status).toBe('waiting');
    player.skip(-5000);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 5000 });
  });

  test('a pause while more is waited for is no end, and playing waits again', () => {
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

  test('that breaks again at once is shown, and Try again begins again', async () => {
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
    await vi.waitFor(() =>
      expect(player.getSnapshot()).toMatchObject({ status: 'failed', failure: 'network' }),
    );
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

/** Playing at thirty seconds the line breaks; the answer is asked for and awaited. */
function breakOffDuringRequest() {
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

describe('while a broken line is asked about', () => {
  test('a pause holds, and where somebody goes is gone to', async () => {
    const { player, come } = breakOffDuringRequest();
    player.toggle();
    expect(player.getSnapshot().status).toBe('paused');
    player.seek(5000);
    await come();
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', positionMs: 5000 });
  });

  test('playing again after all plays on when it has come', async () => {
    const { player, come } = breakOffDuringRequest();
    player.toggle();
    player.toggle();
    expect(player.getSnapshot().status).toBe('waiting');
    await come();
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 30_000 });
  });

  test('a player that was closed and opened again is left alone by the answer', async () => {
    const { audio, player, answer } = breakOffDuringRequest();
    player.close();
    player.open(track);
    audio.ready(60);
    answer.resolve(true);
    await answer.promise;
    await Promise.resolve();
    expect(audio.loads).toBe(2);
    expect(player.getSnapshot()).toMatchObject({ status: 'paused', positionMs: 0 });
  });

  test('after it failed, Try again begins where somebody went meanwhile', async () => {
    const { audio, player, answer } = breakOffDuringRequest();
    answer.resolve(false);
    await vi.waitFor(() => expect(player.getSnapshot().status).toBe('failed'));
    player.seek(5000);
    player.retry();
    audio.ready(60);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: 5000 });
  });
});

describe('the rules in small', () => {
  test('a failure outweighs everything, and nothing is nothing', () => {
    const element = { paused: false, ended: false, readyState: 4 };
    expect(statusOf(element, { hasTrack: false, failed: true, recovering: true })).toBe('empty');
    expect(statusOf(element, { hasTrack: true, failed: true, recovering: true })).toBe('failed');
    expect(
      statusOf({ ...element, readyState: 2 }, { hasTrack: true, failed: false, recovering: false }),
    ).toBe('waiting');
  });

  test('speed steps up and down through every speed and stops at both ends', () => {
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

  test('playing into gaps that follow each other goes on where there is sound again, and says the longest it jumped over', () => {
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

  test('what was jumped over is told for a few seconds, and no longer once the sound is taken elsewhere', () => {
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

  test('a gap plays as silence when that was chosen, and the choice is kept', () => {
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

  test('a gap shorter than a breath is played through', () => {
    const { audio, player } = playing();
    audio.runTo(50.05);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 50_050, gap: breath, skippedGap: null });
  });

  test('seeking into a gap stays there until it is played', () => {
    const { audio, player } = setUp();
    player.open(gapped);
    audio.ready(60);
    player.seek(20_000);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 20_000, gap: slept, status: 'paused' });
    player.play();
    expect(player.getSnapshot()).toMatchObject({ positionMs: 31_400, status: 'playing' });
  });

  test('a gap at the end ends the recording', () => {
    const { audio, player } = setUp();
    player.open({ ...track, gaps: [{ atMs: 58_000, durationMs: 2000, cause: 'page-killed' }] });
    audio.ready(60);
    player.play();
    audio.runTo(58.1);
    expect(player.getSnapshot()).toMatchObject({ positionMs: 60_000, status: 'ended' });
  });

  test('wherever playing arrives, it is never inside a gap that is noticed', () => {
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

  test('turns back at its end again and again', () => {
    const { audio, player } = looping();
    player.seek(12_000);
    player.play();
    for (let round = 0; round < 3; round += 1) {
      audio.runTo(20);
      expect(player.getSnapshot()).toMatchObject({ positionMs: 10_000, status: 'playing' });
    }
  });

  test('is left by going beyond it, and entered again by going back', () => {
    const { audio, player } = looping();
    player.play();
    player.seek(30_000);
    audio.runTo(40);
    expect(player.getSnapshot().positionMs).toBe(40_000);
    player.seek(5000);
    audio.runTo(21);
    expect(player.getSnapshot().positionMs).toBe(10_000);
  });

  test('of the whole recording begins again at its end', () => {
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

  test('is jumped over while playing, not when somebody goes there', () => {
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

  test('that hides a gap tells the gap', () => {
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

test('fading out leaves the chosen volume as it is', () => {
  const { audio, player, written } = setUp();
  player.open(track);
  player.setFade(0.5);
  expect(audio.volume).toBeCloseTo(0.4);
  expect(player.getSnapshot().volume).toBe(0.8);
  player.setFade(1);
  expect([audio.volume, written]).toEqual([0.8, []]);
});

test('a player that was closed has nothing to play, and opens the same recording again', () => {
  const { audio, player } = setUp();
  player.open(track);
  audio.ready(60);
  player.play();
  player.close();
  expect([audio.paused, player.getSnapshot().status]).toEqual([true, 'empty']);
  player.open(track);
  expect(audio.loads).toBe(2);
});
