import { expect, test } from 'vitest';
import { mergeTrash, type Trashed } from './use-trash.ts';

const item = (id: string, deletedAtMs: number, title = id): Trashed => ({
  id,
  title,
  deletedAtMs,
  recordedTime: { kind: 'unknown' },
  durationMs: 0,
  isOnServer: true,
  hasNoSound: false,
});

test('lists a recording of both places once, as on the server, and the last deleted first', () => {
  const merged = mergeTrash(
    [item('a', 10, 'from the server'), item('b', 30)],
    [item('a', 12), item('c', 20)],
  );
  expect(merged.map(({ id, title }) => [id, title])).toEqual([
    ['b', 'b'],
    ['c', 'c'],
    ['a', 'from the server'],
  ]);
});
