import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import { recordingKeys } from './query-client.ts';

type Pages = readonly RecordingPage[];

/** Changes the pages of every cached list. Other data under the lists' key, such as counts, stays unchanged. */
export function changePages(client: QueryClient, change: (pages: Pages) => RecordingPage[]): void {
  const isList = (data: unknown) => typeof data === 'object' && data !== null && 'pages' in data;
  client.setQueriesData<InfiniteData<RecordingPage>>(
    { queryKey: recordingKeys.lists, predicate: ({ state }) => isList(state.data) },
    (data) => data && { ...data, pages: change(data.pages) },
  );
}

/** The pages of a list without some recordings. The total falls by the number of removed rows. */
export function withoutRecordings(pages: Pages, ids: ReadonlySet<string>): RecordingPage[] {
  const left = pages.map((page) => {
    const items = page.items.filter(({ id }) => !ids.has(id));
    return items.length === page.items.length ? page : { ...page, items };
  });
  const gone = pages.reduce(
    (sum, page, place) => sum + page.items.length - (left[place]?.items.length ?? 0),
    0,
  );
  return left.map((page) =>
    page.total === null || gone === 0 ? page : { ...page, total: Math.max(0, page.total - gone) },
  );
}

/** The pages of a list with some recordings changed. Unaffected pages and recordings stay the same objects. */
export function withChanged(
  pages: Pages,
  ids: ReadonlySet<string>,
  change: (recording: Recording) => Recording,
): RecordingPage[] {
  return pages.map((page) =>
    page.items.some(({ id }) => ids.has(id))
      ? { ...page, items: page.items.map((item) => (ids.has(item.id) ? change(item) : item)) }
      : page,
  );
}
