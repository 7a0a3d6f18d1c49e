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

describe('an element that starts elsewhere', () => {
  const elementAt = (currentTime: number, paused = true) =>
    ({ currentTime, duration: 60, paused }) as AudioElement;
  const startedAt = (opening: OpeningPlace, atSeconds: number) => {
    const audio = elementAt(0);
    opening.start(audio, atSeconds);
    return audio;
  };

  test('is moved to the place again, at most twice', () => {
    const opening = new OpeningPlace();
    const audio = startedAt(opening, 30);
    const landings = [1, 1, 1].map((landedAt) => {
      audio.currentTime = landedAt;
      opening.check(audio);
      return audio.currentTime;
    });
    expect(landings).toEqual([30, 30, 1]);
  });

  test('is left alone if it plays, or was moved elsewhere since', () => {
    const opening = new OpeningPlace();
    startedAt(opening, 30);
    const playing = elementAt(1, false);
    opening.check(playing);
    expect(playing.currentTime).toBe(1);
    startedAt(opening, 30);
    opening.leave();
    const moved = elementAt(1);
    opening.check(moved);
    expect(moved.currentTime).toBe(1);
  });
});
