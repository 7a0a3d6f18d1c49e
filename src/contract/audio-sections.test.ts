import { expect, test } from 'vitest';
import { hour, second } from '#base/duration.ts';
import { audioSectionCount, audioSectionWindow } from './audio-sections.ts';
import { limits } from './limits.ts';

const eachMs = limits.audioSectionMs;

test.each([
  0,
  second,
  eachMs,
  eachMs + 999,
  eachMs + second,
  13 * hour,
  2 * eachMs + second - 1,
  2 * eachMs + second,
])('there are as many sections of %d ms as are counted, and together they are all of it', (durationMs) => {
  const count = audioSectionCount(durationMs, eachMs);
  const sections = Array.from({ length: count }, (_, section) =>
    audioSectionWindow(section, { durationMs, isEnded: true }),
  );
  expect(sections.map((section) => section?.startMs)).toEqual(sections.map((_, index) => index * eachMs));
  expect(sections.map((section) => section?.endMs)).toEqual([
    ...sections.slice(1).map((section) => section?.startMs),
    Infinity,
  ]);
  expect(audioSectionWindow(count, { durationMs, isEnded: true })).toBeNull();
});
