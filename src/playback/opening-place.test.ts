import { describe, expect, test } from 'vitest';
import type { AudioElement } from './audio-element.ts';
import { OpeningPlace } from './opening-place.ts';
import { setUp, track } from './player.suite.ts';

describe('an element that takes the end of its file for all of it, as WebKitGTK does with Ogg', () => {
  test('is loaded again, and starts at the place', () => {
    const { audio, player } = setUp();
    player.open(track, 30_000);
    audio.ready(0.6);
    expect([audio.loads, player.positionMs()]).toEqual([2, 30_000]);
    audio.ready(60);
    expect([audio.loads, audio.currentTime, audio.paused]).toEqual([2, 30, true]);
  });

  test('plays from the place if Play was pressed before', () => {
    const { audio, player } = setUp();
    player.open(track, 30_000);
    player.play();
    audio.ready(0.6);
    audio.ready(60);
    expect([audio.currentTime, audio.paused]).toEqual([30, false]);
  });

  test('is loaded again by a seek, and continues to play', () => {
    const { audio, player } = setUp();
    player.open(track);
    audio.ready(0.6);
    player.play();
    player.seek(20_000);
    audio.ready(60);
    expect([audio.loads, audio.currentTime, audio.paused]).toEqual([2, 20, false]);
  });

  test('is loaded at most twice more, so that a file shorter than stated can be played', () => {
    const { audio, player } = setUp();
    player.open(track, 30_000);
    for (let time = 0; time < 5; time += 1) audio.ready(10);
    expect([audio.loads, audio.currentTime]).toEqual([3, 10]);
    player.open({ ...track, id: 'b' }, 30_000);
    audio.ready(10);
    expect(audio.loads).toBe(5);
  });

  test('is not loaded again at the end of a file that is a little shorter than stated, or that still grows', () => {
    const { audio, player } = setUp();
    player.open(track, 59_900);
    audio.ready(59);
    expect(audio.loads).toBe(1);
    player.open({ ...track, id: 'b', growing: true }, 30_000);
    audio.ready(10);
    expect([audio.loads, audio.currentTime]).toEqual([2, 10]);
  });
});

describe('an element that is not at its place', () => {
  test('is not heard while it plays from its start, because Play was pressed before it was loaded', () => {
    const { audio, player } = setUp();
    player.open(track, 30_000);
    player.play();
    audio.knowLength(60);
    audio.runTo(0.4);
    expect([audio.muted, player.getSnapshot().muted]).toEqual([true, false]);
    audio.ready(60);
    expect([audio.currentTime, audio.muted]).toEqual([30, false]);
  });

  test('is not heard before a place that was chosen while it loads, nor after a reload at a place', () => {
    const { audio, player } = setUp();
    player.open(track);
    expect(audio.muted).toBe(false);
    player.seek(20_000);
    expect(audio.muted).toBe(true);
    audio.ready(60);
    player.play();
    audio.runTo(25);
    expect(audio.muted).toBe(false);
    player.retry();
    expect(audio.muted).toBe(true);
    audio.ready(60);
    expect([audio.currentTime, audio.muted]).toEqual([25, false]);
  });

  test('is heard at once from the start of its file', () => {
    const { audio, player } = setUp();
    player.open(track, 20_000);
    player.open({ ...track, id: 'b' });
    expect(audio.muted).toBe(false);
  });
});

describe('an element that is moved', () => {
  interface Stand {
    currentTime: number;
    paused?: boolean;
    readyState?: number;
    seeking?: boolean;
  }
  const standing = ({ paused = true, readyState = 4, seeking = false, ...stand }: Stand) =>
    ({ ...stand, paused, readyState, seeking, duration: 60, playbackRate: 1 }) as AudioElement;
  /** An element that was moved to 30 s, and has passed these stands since. */
  const movedThrough = (stands: Stand[], { mayLoad = true, passedMs = 0 } = {}) => {
    let nowMs = 0;
    const opening = new OpeningPlace(() => nowMs);
    opening.announce(30);
    opening.move(standing({ currentTime: 0 }), 30);
    nowMs = passedMs;
    return stands.map((stand) => {
      const audio = standing(stand);
      const loadsAt = opening.check(audio, mayLoad);
      return { atSeconds: audio.currentTime, loadsAt, isElsewhere: opening.isElsewhere };
    });
  };
  const here = (atSeconds: number) => ({ atSeconds, loadsAt: null, isElsewhere: false });
  const waiting = { atSeconds: 2, loadsAt: null, isElsewhere: true };
  const movedAgain = { atSeconds: 30, loadsAt: null, isElsewhere: true };

  test.each([
    ['paused or playing before the place', [{ currentTime: 28.99 }, { currentTime: 28.99, paused: false }]],
    ['paused after the place', [{ currentTime: 30.49 }, { currentTime: 30.49 }]],
  ])('is moved again, then loaded again at the place, if it is %s', (_, stands) => {
    expect(movedThrough(stands)).toEqual([
      movedAgain,
      { atSeconds: stands[1]?.currentTime, loadsAt: 30, isElsewhere: true },
    ]);
  });

  test('is moved again if it is further after the place than it can have played', () => {
    const [stand] = movedThrough([{ currentTime: 30.99, paused: false }], { passedMs: 40 });
    expect(stand).toEqual(movedAgain);
    const [played] = movedThrough([{ currentTime: 30.99, paused: false }], { passedMs: 900 });
    expect(played).toEqual(here(30.99));
  });

  test('is moved again if it reported the place and then plays before it', () => {
    expect(movedThrough([{ currentTime: 30 }, { currentTime: 29.49, paused: false }])).toEqual([
      here(30),
      movedAgain,
    ]);
  });

  test('is heard at the place also if it plays without reporting that it has enough data', () => {
    expect(movedThrough([{ currentTime: 30.1, readyState: 2, paused: false }])).toEqual([here(30.1)]);
  });

  test('is left alone while it seeks, and once it has played the place', () => {
    expect(
      movedThrough([
        { currentTime: 2, seeking: true },
        { currentTime: 2, readyState: 1 },
        { currentTime: 30.1, paused: false },
        { currentTime: 5, paused: false },
      ]),
    ).toEqual([waiting, waiting, here(30.1), here(5)]);
  });

  test('is heard where it is if nothing helps', () => {
    const stands = [{ currentTime: 1 }, { currentTime: 1 }];
    expect(movedThrough(stands, { mayLoad: false })).toEqual([movedAgain, here(1)]);
  });

  test('is loaded again at most twice, with all of its audio', () => {
    const { audio, player } = setUp();
    player.open(track, 30_000);
    player.play();
    expect(audio.preload).toBe('metadata');
    for (let load = 0; load < 5; load += 1) {
      audio.ready(60);
      for (let event = 0; event < 3; event += 1) audio.runTo(1);
    }
    expect([audio.loads, audio.preload, audio.paused, audio.muted]).toEqual([3, 'auto', false, false]);
    player.open({ ...track, id: 'b' });
    expect(audio.preload).toBe('metadata');
  });
});
