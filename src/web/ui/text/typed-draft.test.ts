import { beforeEach, expect, test, vi } from 'vitest';
import { TypedDraft } from './typed-draft.ts';

let saved: string[];
let draft: TypedDraft;

beforeEach(() => {
  vi.useFakeTimers();
  saved = [];
  draft = new TypedDraft((text) => saved.push(text));
  return () => vi.useRealTimers();
});

test('is saved a second after the last key', () => {
  draft.type('Int', '');
  vi.advanceTimersByTime(900);
  draft.type('Interview', '');
  vi.advanceTimersByTime(900);
  expect(saved).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(saved).toEqual(['Interview']);
});

test('is saved at once when the field is left, and only once', () => {
  draft.type('Interview', '');
  draft.leave();
  draft.leave();
  vi.advanceTimersByTime(5000);
  expect(saved).toEqual(['Interview']);
});

test('restores the value from before if it is discarded after it was saved', () => {
  draft.type('Interview', 'Before');
  draft.discard();
  expect(saved).toEqual([]);
  draft.type('Interview', 'Before');
  vi.advanceTimersByTime(1000);
  draft.type('Interview 2', 'Interview');
  draft.discard();
  vi.advanceTimersByTime(5000);
  expect(saved).toEqual(['Interview', 'Before']);
});
