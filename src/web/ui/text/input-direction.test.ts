import { expect, test } from 'vitest';
import { typedDirection } from './input-direction.ts';

test('an empty field runs with the page, so that its placeholder stands where reading begins', () => {
  expect(typedDirection('')).toBeUndefined();
});

test('what is typed decides its own direction, also where the field keeps it to itself', () => {
  expect(typedDirection('مقابلة')).toBe('auto');
  expect(typedDirection(undefined)).toBe('auto');
});
