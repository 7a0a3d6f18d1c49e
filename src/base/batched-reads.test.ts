import { expect, test } from 'vitest';
import { BatchedReads } from './batched-reads.ts';

/** Reads that wait until the test answers them. */
function controlledReads(options?: { atOnce?: number; max?: number }) {
  const queries: { keys: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const reads = new BatchedReads<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const found = new Map(keys.filter((key) => key !== 'missing').map((key) => [key, `value of ${key}`]));
    queries.push({
      keys,
      answer: () => {
        resolve(found);
      },
      fail: reject,
    });
    return promise;
  }, options);
  return { reads, queries, keys: () => queries.map((query) => query.keys) };
}

test('reads of one task share a query, and those that arrive while it runs share the next', async () => {
  const { reads, queries, keys } = controlledReads({ atOnce: 1 });
  const first = Promise.all([reads.read('a'), reads.read('z')]);
  await expect.poll(keys).toEqual([['a', 'z']]);
  const others = Promise.all([reads.read('b'), reads.read('missing'), reads.read('b')]);
  queries[0]?.answer();
  await expect(first).resolves.toEqual(['value of a', 'value of z']);
  await expect.poll(keys).toEqual([
    ['a', 'z'],
    ['b', 'missing'],
  ]);
  queries[1]?.answer();
  await expect(others).resolves.toEqual(['value of b', undefined, 'value of b']);
});

test('a value that is requested while it is being read is read again, because it may have changed', async () => {
  const { reads, queries, keys } = controlledReads({ atOnce: 1 });
  const early = reads.read('a');
  await expect.poll(keys).toEqual([['a']]);
  const late = reads.read('a');
  queries[0]?.answer();
  await early;
  await expect.poll(keys).toEqual([['a'], ['a']]);
  queries[1]?.answer();
  await expect(late).resolves.toBe('value of a');
});

test('no query has more keys than allowed, and no more run at once than allowed', async () => {
  const { reads, queries, keys } = controlledReads({ atOnce: 2, max: 2 });
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => reads.read(key)));
  await expect.poll(keys).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  queries[0]?.answer();
  await expect.poll(keys).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  queries[1]?.answer();
  queries[2]?.answer();
  await expect(all).resolves.toHaveLength(5);
});

test('a failure rejects the reads of its query alone', async () => {
  const { reads, queries, keys } = controlledReads({ atOnce: 1 });
  const first = reads.read('a');
  await expect.poll(keys).toEqual([['a']]);
  const second = reads.read('b');
  queries[0]?.fail(new Error('the database does not respond'));
  await expect(first).rejects.toThrow('the database does not respond');
  await expect.poll(keys).toEqual([['a'], ['b']]);
  queries[1]?.answer();
  await expect(second).resolves.toBe('value of b');
});
