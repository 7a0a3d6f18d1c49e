import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Track } from './playback-state.ts';
import { setUp, track } from './player.suite.ts';

describe('a track that is loaded in sections', () => {
  const halfDayMs = 43_200_000;
  const longTrack: Track = {
    ...track,
    durationMs: 2 * halfDayMs - 1000,
    sections: { eachMs: halfDayMs, urlOf: (section) => `/api/recordings/a/audio?section=${section}` },
  };
  const listening = (atMs: number) => {
    const { audio, player } = setUp();
    player.open(longTrack, atMs);
    audio.ready(43_200);
    player.play();
    return { audio, player };
  };

  test('is loaded whole if it has one section, and gets no extra section for a rest under one second', () => {
    for (const durationMs of [60_000, halfDayMs, halfDayMs + 999]) {
      const { audio, player } = setUp();
      player.open({ ...longTrack, durationMs }, durationMs);
      expect(audio.src).toBe(track.url);
    }
  });

  test('continues from one section into the next, at the position where it starts', () => {
    const { audio, player } = listening(halfDayMs - 5000);
    expect([audio.src, audio.currentTime]).toEqual(['/api/recordings/a/audio?section=0', 43_195]);
    audio.runTo(43_200);
    expect([audio.src, audio.paused, player.positionMs()]).toEqual([
      '/api/recordings/a/audio?section=1',
      false,
      halfDayMs,
    ]);
    expect(player.getSnapshot().status).not.toBe('ended');
    audio.ready(43_199);
    audio.runTo(2.5);
    expect(player.getSnapshot()).toMatchObject({ status: 'playing', positionMs: halfDayMs + 2500 });
  });

  test('ends at the end of its last section', () => {
    const { audio, player } = listening(2 * halfDayMs - 4000);
    audio.ready(43_199);
    audio.runTo(43_199);
    expect(player.getSnapshot()).toMatchObject({ status: 'ended', positionMs: longTrack.durationMs });
  });

  test('loads another section on a seek, and stays playing or paused', () => {
    const { audio, player } = listening(1000);
    player.seek(halfDayMs + 60_000);
    expect([audio.src, audio.paused, player.positionMs()]).toEqual([
      '/api/recordings/a/audio?section=1',
      false,
      halfDayMs + 60_000,
    ]);
    audio.ready(43_199);
    expect([audio.currentTime, player.positionMs()]).toEqual([60, halfDayMs + 60_000]);
    player.pause();
    player.skip(-120_000);
    expect([audio.src, audio.paused, player.positionMs()]).toEqual([
      '/api/recordings/a/audio?section=0',
      true,
      halfDayMs - 60_000,
    ]);
  });

  test('reports a position within 50 ms of the target after any seeks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: longTrack.durationMs }), { minLength: 1, maxLength: 6 }),
        (places) => {
          const { audio, player } = listening(0);
          for (const toMs of places) {
            player.seek(toMs);
            if (Number.isNaN(audio.duration)) audio.ready(43_200);
            expect(Math.abs(player.getSnapshot().positionMs - toMs)).toBeLessThanOrEqual(50);
          }
        },
      ),
    );
  });

  test('does not restart a loop in a later section at the end of an earlier one', () => {
    const { audio, player } = listening(halfDayMs - 5000);
    player.setLoop({ fromMs: halfDayMs + 1000, toMs: halfDayMs + 9000 });
    audio.runTo(43_200);
    expect(player.positionMs()).toBe(halfDayMs);
  });

  test('restarts a loop that spans sections at its end', () => {
    const { audio, player } = listening(halfDayMs - 5000);
    player.setLoop({ fromMs: halfDayMs - 2000, toMs: halfDayMs + 3000 });
    audio.runTo(43_200);
    audio.ready(43_199);
    audio.runTo(3);
    expect([audio.src, player.positionMs()]).toEqual(['/api/recordings/a/audio?section=0', halfDayMs - 2000]);
  });

  test('continues into the next section of a take that grows', () => {
    const { audio, player } = setUp();
    const growing = { ...longTrack, growing: true, durationMs: halfDayMs - 2000 };
    player.open(growing, halfDayMs - 10_000);
    audio.ready(43_198);
    player.play();
    player.open({ ...growing, durationMs: halfDayMs + 30_000 });
    expect(player.getSnapshot().status).toBe('playing');
    audio.runTo(43_198);
    expect([audio.src, player.positionMs()], 'what came of its first section since').toEqual([
      `/api/recordings/a/audio?section=0&until=${halfDayMs + 30_000}`,
      halfDayMs - 2000,
    ]);
    audio.ready(43_200);
    audio.runTo(43_200);
    expect([audio.src, player.positionMs()]).toEqual([
      `/api/recordings/a/audio?section=1&until=${halfDayMs + 30_000}`,
      halfDayMs,
    ]);
  });
});
