import { expect, test } from 'vitest';
import { PlayQueue, type QueueItem } from './play-queue.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id): QueueItem => ({
  id,
  title: id.toUpperCase(),
  durationMs: 1000,
  isOnServer: true,
})) as [QueueItem, QueueItem, QueueItem];
const ids = (queue: PlayQueue) =>
  queue
    .getSnapshot()
    .map(({ id }) => id)
    .join('');

test('appends added recordings, puts Play next first, and queues nothing twice', () => {
  const queue = new PlayQueue();
  queue.add(a);
  queue.add(b);
  queue.playNext(c);
  expect(ids(queue)).toBe('cab');
  queue.playNext(b);
  expect(ids(queue)).toBe('bca');
  queue.add(b);
  expect(ids(queue)).toBe('cab');
});

test('removes a played recording, and on Previous puts the current one first in the queue', () => {
  const queue = new PlayQueue();
  queue.add(b);
  queue.add(c);
  expect(queue.take('b', a)).toBe(b);
  expect(queue.before).toBe(a);
  expect(queue.previous(b)).toBe(a);
  expect(ids(queue)).toBe('bc');
  expect([queue.previous(a), ids(queue)]).toEqual([null, 'bc']);
});

test('plays one before its turn, and removes others', () => {
  const queue = new PlayQueue();
  for (const item of [a, b, c]) queue.add(item);
  expect(queue.take('b', null)).toBe(b);
  queue.remove('a');
  expect(ids(queue)).toBe('c');
  queue.clear();
  expect([queue.take('c', a), queue.before]).toEqual([null, null]);
});
