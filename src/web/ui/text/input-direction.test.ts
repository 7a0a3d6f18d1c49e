import { expect, test } from 'vitest';
import { inputDirection } from './input-direction.ts';

test('an empty field has the page’s direction, and so has its placeholder', () => {
  expect(inputDirection('')).toBeUndefined();
});

test('typed text decides the direction, also in an uncontrolled field', () => {
  expect(inputDirection('مقابلة')).toBe('auto');
  expect(inputDirection(undefined)).toBe('auto');
});
