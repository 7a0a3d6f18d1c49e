import { expect, test } from 'vitest';
import { isWordTyped } from './confirmation-word.ts';

test.each([
  ['Rosa@Example.org ', 'rosa@example.org'],
  ['Rosa Ibáñez', 'Rosa  Ib\u0061\u0301n\u0303ez'],
  ['Rosa Ibáñez', 'Rosa\u00A0Ibáñez'],
])('%s confirms what the screen shows of %s', (typed, word) => {
  expect(isWordTyped(typed, word)).toBe(true);
});

test.each(['', 'Rosa', 'Rosa Ibanez'])('%j does not confirm Rosa Ibáñez', (typed) => {
  expect(isWordTyped(typed, 'Rosa Ibáñez')).toBe(false);
});
