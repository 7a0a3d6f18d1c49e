import { expect, test } from 'vitest';
import { tagChangeOf, tagStateOf } from './tag-states.ts';

test('shows a tag as on if all have it, off if none has it, and mixed otherwise or if unknown', () => {
  expect(tagStateOf('t', [['t'], ['t', 'u']])).toBe('all');
  expect(tagStateOf('t', [['u'], []])).toBe('none');
  expect(tagStateOf('t', [['t'], []])).toBe('some');
  expect(tagStateOf('t', [['t'], null])).toBe('some');
  expect(tagStateOf('t', [null])).toBe('some');
});

test('changes only the tags that were toggled and differ', () => {
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
