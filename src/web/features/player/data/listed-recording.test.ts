import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { listedRecording } from './listed-recording.ts';

test('finds a recording in a cached list before its details are loaded, and no other recording', () => {
  const client = new QueryClient();
  const page = (ids: string[]) => ({
    items: ids.map((id) => ({ id, title: `Title of ${id}` })),
    nextCursor: null,
  });
  client.setQueryData([...recordingKeys.pages, 'search=x'], { pages: [page(['a'])], pageParams: [null] });
  client.setQueryData([...recordingKeys.pages, '', 5], {
    pages: [page(['b']), page(['c'])],
    pageParams: [null, 'n'],
  });
  client.setQueryData([...recordingKeys.lists, 'storage'], { usedBytes: 1 });
  expect(listedRecording(client, 'c')).toMatchObject({ title: 'Title of c', segments: [], gaps: [] });
  expect(listedRecording(client, 'd')).toBeUndefined();
  client.clear();
});
