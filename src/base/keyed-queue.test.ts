import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

const gate = () => Promise.withResolvers<void>();

test('runs work on one key in the order of its requests, one at a time', async () => {
  const queue = new KeyedQueue();
  const [first, done] = [gate(), [] as string[]];
  const runs = [
    queue.run('a', async () => {
      await first.promise;
      done.push('first');
    }),
    queue.run('a', async () => {
      done.push('second');
    }),
  ];
  await queue.run('b', async () => {
    done.push('other key');
  });
  first.resolve();
  await Promise.all(runs);
  expect(done).toEqual(['other key', 'first', 'second']);
});

test('reports a failure only to its own caller and runs the next work anyway', async () => {
  const queue = new KeyedQueue();
  const failing = queue.run('a', () => Promise.reject(new RangeError('full')));
  const next = queue.run('a', async () => 7);
  await expect(failing).rejects.toThrow('full');
  expect(await next).toBe(7);
});
