import { expect, test } from 'vitest';
import { isEmptyTake } from './empty-take.ts';

test.each([
  { name: 'no bytes', sizeBytes: 0, container: 'ogg' as const, isEmpty: true },
  { name: 'the header pages of Ogg', sizeBytes: 112, container: 'ogg' as const, isEmpty: true },
  { name: 'an Ogg file that nobody can read', sizeBytes: 5000, container: 'ogg' as const, isEmpty: false },
  { name: 'a byte of WebM', sizeBytes: 1, container: 'webm' as const, isEmpty: false },
  { name: 'a byte of MP4', sizeBytes: 1, container: 'mp4' as const, isEmpty: false },
])('judges a take of unknown length with $name by its bytes', ({ sizeBytes, container, isEmpty }) => {
  const segment = { sizeBytes, container };
  expect(isEmptyTake({ duration_ms: 0 }, { durationMs: 0, audio: [segment] })).toBe(isEmpty);
  expect(isEmptyTake({ duration_ms: 900 }, { durationMs: 0, audio: [segment] })).toBe(false);
});
