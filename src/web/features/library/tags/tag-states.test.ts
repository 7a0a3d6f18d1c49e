import { expect, test } from 'vitest';
import { tagChangeOf, tagStateOf } from './tag-states.ts';

test('a box is on when all have the tag, off when none has it, mixed otherwise and where it is not known', () => {
  expect(tagStateOf('t', [['t'], ['t', 'u']])).toBe('all');
  expect(tagStateOf('t', [['u'], []])).toBe('none');
  expect(tagStateOf('t', [['t'], []])).toBe('some');
  expect(tagStateOf('t', [['t'], null])).toBe('some');
  expect(tagStateOf('t', [null])).toBe('some');
});

test('only what was switched and differs is changed', () => {
  const targets = [['t', 'u'], ['u']];
  expect(
    tagChangeOf(
      new Map([
        ['t', true],
        ['u', true],
        ['v', false],
      ]),
      targets,
    ),
  ).toEqual({ add: ['t'], remove: [] });
  expect(
    tagChangeOf(
      new Map([
        ['t', false],
        ['u', false],
      ]),
      targets,
    ),
  ).toEqual({ add: [], remove: ['t', 'u'] });
  expect(tagChangeOf(new Map(), targets)).toEqual({ add: [], remove: [] });
});
