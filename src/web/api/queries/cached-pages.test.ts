import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { RecordingPage } from '#contract/recordings.ts';
import { recordingKeys } from './query-client.ts';
import { recordingFor } from './recording-for.suite.ts';
import { changePages, withChanged, withoutRecordings } from './cached-pages.ts';

const pages: RecordingPage[] = [
  { items: [recordingFor('a'), recordingFor('b')], nextCursor: '>b', total: 12 },
  { items: [recordingFor('c'), recordingFor('d')], nextCursor: null, total: null },
];

test('removes recordings from all pages and lowers the list’s total', () => {
  const left = withoutRecordings(pages, new Set(['b', 'c', 'of another list']));
  expect(left.map(({ items, total }) => [items.map(({ id }) => id), total])).toEqual([
    [['a'], 10],
    [['d'], null],
  ]);
});

test('copies only the pages and recordings that change', () => {
  const changed = withChanged(pages, new Set(['d']), (item) => ({ ...item, title: 'New' }));
  expect(changed[1]?.items.map(({ title }) => title)).toEqual(['Seminar', 'New']);
  expect(changed[0]).toBe(pages[0]);
  expect(changed[1]?.items[0]).toBe(pages[1]?.items[0]);
});

test('leaves other data under the lists’ key unchanged', () => {
  const client = new QueryClient();
  const [list, storage] = [
    [...recordingKeys.lists, 'of', ''],
    [...recordingKeys.lists, 'storage'],
  ];
  client.setQueryData(list, { pages, pageParams: [null, '>b'] });
  client.setQueryData(storage, { usedBytes: 7 });
  changePages(client, (known) => withoutRecordings(known, new Set(['a'])));
  expect(client.getQueryData<{ pages: RecordingPage[] }>(list)?.pages[0]?.items.map(({ id }) => id)).toEqual([
    'b',
  ]);
  expect(client.getQueryData(storage)).toEqual({ usedBytes: 7 });
  client.clear();
});
