import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAgain, showChange } from './shown-change.ts';

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
  showChange(client, (cache) => {
    cache.setQueryData<string[]>(key, (ids = []) => ids.filter((known) => known !== id));
  });

test('what failed is put back as it was, and nothing else is touched', () => {
  client.setQueryData(key, ['a', 'b']);
  client.setQueryData(['other'], 'kept');
  const change = without('a');
  expect(shown()).toEqual(['b']);
  client.setQueryData(['other'], 'changed meanwhile');
  change.takeBack();
  expect(shown()).toEqual(['a', 'b']);
  expect(client.getQueryData(['other'])).toBe('changed meanwhile');
});

test('what came from elsewhere meanwhile is not undone', () => {
  client.setQueryData(key, ['a', 'b']);
  const change = without('a');
  client.setQueryData(key, ['b', 'c']);
  change.takeBack();
  expect(shown()).toEqual(['b', 'c']);
});

test('of two changes that fail neither is left, whichever fails first', () => {
  client.setQueryData(key, ['a', 'b', 'c']);
  const forth = [without('a'), without('b')];
  for (const change of forth) change.takeBack();
  expect(shown()).toEqual(['a', 'b', 'c']);
  const back = [without('a'), without('b')];
  for (const change of back.toReversed()) change.takeBack();
  expect(shown()).toEqual(['a', 'b', 'c']);
});

test('where nothing was known, nothing is known again', () => {
  const change = showChange(client, (cache) => {
    cache.setQueryData(key, ['a']);
  });
  expect(shown()).toEqual(['a']);
  change.takeBack();
  expect(client.getQueryState(key)).toMatchObject({ data: undefined, status: 'pending' });
});

test('what went through stays', () => {
  client.setQueryData(key, ['a', 'b']);
  const first = without('a');
  const second = without('b');
  first.keep();
  second.takeBack();
  expect(shown()).toEqual(['b']);
});

test('what is shown is read again once it is decided, and not before, however many changes are under way', async () => {
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
  first.keep();
  await Promise.resolve();
  expect({ reads, shown: shown() }).toEqual({ reads: 0, shown: ['c'] });
  answer = ['b', 'c', 'from elsewhere'];
  second.takeBack();
  await expect.poll(shown).toEqual(['b', 'c', 'from elsewhere']);
  expect(reads).toBe(1);
  without('c').keep();
  readAgain(client, ['markers']);
  await expect.poll(shown).toEqual(answer);
  expect(reads).toBe(2);
  stop();
});
