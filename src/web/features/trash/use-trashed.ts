import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { recordingKeys } from '#web/api/query-client.ts';

/** Something in the trash, from the server or from this device. */
export interface Trashed { id: string; title: string; startedAtMs: number; durationMs: number; deletedAtMs: number }

export interface TrashedQuery {
  items: readonly Trashed[];
  isLoading: boolean;
  hasMore: boolean;
  isFetchingMore: boolean;
  error: Error | null;
  loadMore: () => void;
  retry: () => void;
}

/** What the server keeps in the trash; asks nothing while `isEnabled` is false. */
export function useTrashed(isEnabled: boolean): TrashedQuery {
  const query = useInfiniteQuery({
    queryKey: recordingKeys.list({ trashed: true }),
    queryFn: ({ pageParam, signal }) => call('listRecordings', { query: { trashed: 'true', ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled: isEnabled,
  });
  const items = query.data?.pages.flatMap((page) => page.items).map(({ id, title, startedAt, durationMs, deletedAt, updatedAt }) => ({
    id, title, startedAtMs: Date.parse(startedAt), durationMs, deletedAtMs: Date.parse(deletedAt ?? updatedAt),
  }));
  return {
    items: isEnabled ? items ?? [] : [],
    isLoading: isEnabled && query.isPending,
    hasMore: isEnabled && query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    error: query.error,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

/** The trash of both places, what was deleted last on top, each recording once. */
export function mergeTrash(onServer: readonly Trashed[], onDevice: readonly Trashed[]): Trashed[] {
  const byId = new Map([...onDevice, ...onServer].map((item) => [item.id, item]));
  return [...byId.values()].toSorted((a, b) => b.deletedAtMs - a.deletedAtMs);
}
