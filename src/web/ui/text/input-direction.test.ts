import { expect, test } from 'vitest';
import { inputDirection } from './input-direction.ts';

test('an empty field runs with the page, so that its placeholder stands where reading begins', () => {
  expect(inputDirection('')).toBeUndefined();
});

test('what is typed decides its own direction, also where the field keeps it to itself', () => {
  expect(inputDirection('مقابلة')).toBe('auto');
  expect(inputDirection(undefined)).toBe('auto');
});
