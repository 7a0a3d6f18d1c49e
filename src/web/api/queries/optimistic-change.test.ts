import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAgain, applyOptimistically } from './optimistic-change.ts';

const key = ['markers', 'r'];
let client: QueryClient;
beforeEach(() => {
  client = new QueryClient();
});
afterEach(() => {
  client.clear();
});

const shown = () => client.getQueryData<string[]>(key);
const without = (id: string) =>
  applyOptimistically(client, (cache) => {
    cache.setQueryData<string[]>(key, (ids = []) => ids.filter((known) => known !== id));
  });

test('restores what failed and touches nothing else', () => {
  client.setQueryData(key, ['a', 'b']);
  client.setQueryData(['other'], 'kept');
  const change = without('a');
  expect(shown()).toEqual(['b']);
  client.setQueryData(['other'], 'changed meanwhile');
  change.rollBack();
  expect(shown()).toEqual(['a', 'b']);
  expect(client.getQueryData(['other'])).toBe('changed meanwhile');
});

test('does not undo a change that came from elsewhere meanwhile', () => {
  client.setQueryData(key, ['a', 'b']);
  const change = without('a');
  client.setQueryData(key, ['b', 'c']);
  change.rollBack();
  expect(shown()).toEqual(['b', 'c']);
});

test('leaves neither of two changes that fail, in either order', () => {
  client.setQueryData(key, ['a', 'b', 'c']);
  const forth = [without('a'), without('b')];
  for (const change of forth) change.rollBack();
  expect(shown()).toEqual(['a', 'b', 'c']);
  const back = [without('a'), without('b')];
  for (const change of back.toReversed()) change.rollBack();
  expect(shown()).toEqual(['a', 'b', 'c']);
});

test('leaves a query pending if it had no data before', () => {
  const change = applyOptimistically(client, (cache) => {
    cache.setQueryData(key, ['a']);
  });
  expect(shown()).toEqual(['a']);
  change.rollBack();
  expect(client.getQueryState(key)).toMatchObject({ data: undefined, status: 'pending' });
});

test('keeps a change that succeeded', () => {
  client.setQueryData(key, ['a', 'b']);
  const first = without('a');
  const second = without('b');
  first.commit();
  second.rollBack();
  expect(shown()).toEqual(['b']);
});

test('refetches once no change of the query is undecided, however many there are', async () => {
  let answer = ['a', 'b', 'c'];
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve([...answer]);
  };
  client.setQueryData(key, ['a', 'b', 'c']);
  const stop = new QueryObserver(client, { queryKey: key, queryFn: read, staleTime: Infinity }).subscribe(
    () => undefined,
  );
  const first = without('a');
  const second = without('b');
  readAgain(client, ['markers']);
  answer = ['b', 'c'];
  first.commit();
  await Promise.resolve();
  expect({ reads, shown: shown() }).toEqual({ reads: 0, shown: ['c'] });
  answer = ['b', 'c', 'from elsewhere'];
  second.rollBack();
  await expect.poll(shown).toEqual(['b', 'c', 'from elsewhere']);
  expect(reads).toBe(1);
  without('c').commit();
  readAgain(client, ['markers']);
  await expect.poll(shown).toEqual(answer);
  expect(reads).toBe(2);
  stop();
});
