import { expect, test } from 'vitest';
import { playableFormats } from './audio-format.ts';

const browser =
  (...plays: string[]) =>
  (mediaType: string) =>
    plays.some((container) => mediaType.startsWith(container)) ? 'maybe' : '';

test('plays Ogg first, and M4A where the browser knows only that', () => {
  expect(playableFormats(browser('audio/ogg', 'audio/mp4'), { hasM4a: true, state: 'complete' })).toEqual([
    'ogg',
    'm4a',
  ]);
  expect(playableFormats(browser('audio/mp4'), { hasM4a: true, state: 'complete' })).toEqual(['m4a']);
});

test('plays nothing where the browser knows neither, or the link has no M4A', () => {
  expect(playableFormats(browser(), { hasM4a: true, state: 'complete' })).toEqual([]);
  expect(playableFormats(browser('audio/mp4'), { hasM4a: false, state: 'complete' })).toEqual([]);
});

test('plays no M4A while the recording is live, because only complete sound is converted', () => {
  expect(playableFormats(browser('audio/mp4'), { hasM4a: true, state: 'live' })).toEqual([]);
});
