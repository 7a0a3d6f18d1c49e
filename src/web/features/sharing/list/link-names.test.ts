import { expect, test } from 'vitest';
import { linkNumbers } from './link-names.ts';

const link = (id: string, recordingId: string, second: number) => ({
  id,
  recordingId,
  createdAt: `2026-11-24T12:00:0${second}.000Z`,
});

test('links of a recording are numbered as they were created, in whatever order they are listed', () => {
  const links = [link('c', 'one', 3), link('b', 'other', 2), link('a', 'one', 1)];
  expect(Object.fromEntries(linkNumbers(links))).toEqual({ a: 1, b: 1, c: 2 });
});
