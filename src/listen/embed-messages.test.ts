import { expect, test } from 'vitest';
import { embedCommandOf } from './embed-messages.ts';

test('reads play, pause, and seek with a number of seconds', () => {
  expect(embedCommandOf({ source: 'earshot', type: 'play' })).toEqual({ type: 'play' });
  expect(embedCommandOf({ source: 'earshot', type: 'pause', seconds: 3 })).toEqual({ type: 'pause' });
  expect(embedCommandOf({ source: 'earshot', type: 'seek', seconds: 3.5 })).toEqual({
    type: 'seek',
    seconds: 3.5,
  });
});

test.each([
  null,
  'play',
  42,
  {},
  { type: 'play' },
  { source: 'other', type: 'play' },
  { source: 'earshot', type: 'unlock', password: 'x' },
  { source: 'earshot', type: 'seek' },
  { source: 'earshot', type: 'seek', seconds: '3' },
  { source: 'earshot', type: 'seek', seconds: Infinity },
  { source: 'earshot', type: 'seek', seconds: [3] },
])('ignores %j', (data) => {
  expect(embedCommandOf(data)).toBeNull();
});
