import { useInfiniteQuery } from '@tanstack/react-query';
import type { Recording } from '#contract/recordings.ts';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/query-client.ts';
import { flattenPages } from './rows.ts';

export interface RecordingsQuery {
  recordings: readonly Recording[];
  hasList: boolean;
  isLoading: boolean;
  isFetchingMore: boolean;
  hasMore: boolean;
  error: Error | null;
  loadMore: () => void;
  retry: () => void;
}

const none: readonly Recording[] = [];

/** The server's recordings, newest first, a page after the other; asks nothing while `isEnabled` is false. */
export function useRecordings({ search, isEnabled, limit }: { search: string; isEnabled: boolean; limit?: number }): RecordingsQuery {
  const text = search.trim();
  const query = useInfiniteQuery({
    queryKey: [...recordingKeys.list({ search: text, trashed: false }), limit ?? null],
    queryFn: ({ pageParam, signal }) => call('listRecordings', {
      query: { ...(text === '' ? {} : { search: text }), ...(pageParam === null ? {} : { cursor: pageParam }), ...(limit === undefined ? {} : { limit }) }, signal,
    }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // The rows of the last search stay until the new ones are there.
    placeholderData: (previous) => previous,
    select: ({ pages }) => flattenPages(pages),
    enabled: isEnabled,
  });
  return {
    recordings: isEnabled ? query.data ?? none : none,
    hasList: isEnabled && query.data !== undefined,
    isLoading: isEnabled && query.isPending,
    isFetchingMore: query.isFetchingNextPage,
    hasMore: isEnabled && query.hasNextPage,
    error: query.error,
    loadMore: () => { if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage(); },
    retry: () => void query.refetch(),
  };
}
