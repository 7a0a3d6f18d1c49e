import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Rosa Almeida', 'RA'],
  ['rosa', 'R'],
  ['Maria del Carmen Ruiz', 'MR'],
  ['سالم الأحمد', 'سا'],
  ['नेहा शर्मा', 'नेश'],
  ['  ', ''],
])('%s has the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
