import { useRef } from 'react';
import type { MessageDescriptor } from '@lingui/core';
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { ListedRecording, RecordingPage } from '#contract/recordings.ts';
import { call, type CallInput } from '#web/api/call.ts';
import { queryClient, recordingKeys } from './query-client.ts';
import { useUnanswered } from './unanswered.ts';
import { fitPage, flattenPages, pagesBetween } from './recording-pages.ts';

/** The rows of the list that are near the window, as indexes; both included. */
export interface Span {
  from: number;
  to: number;
}

export interface RecordingPages {
  recordings: readonly ListedRecording[];
  /** The number of recordings on all pages; null while it is not known. */
  total: number | null;
  hasList: boolean;
  isLoading: boolean;
  hasMore: boolean;
  error: Error | null;
  /** The server can't be reached, or has not responded for two seconds. */
  isUnanswered: boolean;
  /** The rows are those of the list before, until this one has loaded. */
  isOfBefore: boolean;
  /** Sets the rows near the window. They are fetched, or refetched if they are out of date. */
  show: (span: Span) => void;
  retry: () => void;
}

export interface RecordingPagesOptions {
  /** Distinguishes this list from others. */
  name: string;
  /** The query of the request. Called for every request, because part of it depends on the current day. */
  query: () => NonNullable<CallInput<'listRecordings'>['query']>;
  isEnabled: boolean;
  limit?: number;
  /** The name of the list for when it can't be shown. */
  what: MessageDescriptor;
}

type Pages = InfiniteData<RecordingPage, string | null>;

const none: { recordings: readonly ListedRecording[]; total: number | null } = {
  recordings: [],
  total: null,
};
const nothingRead: Pages = { pages: [], pageParams: [] };
const pageSize = 100;
/** A refetched page may have grown by as much again. */
const pageAgainSize = 200;

const keyOf = (name: string, limit: number) => [...recordingKeys.pages, name, limit];

/** Loads the first page of a list for the next `useRecordingPages` with the same name. */
export async function prefetchRecordingPages({
  name,
  query: currentQuery,
}: Pick<RecordingPagesOptions, 'name' | 'query'>): Promise<void> {
  await queryClient.prefetchInfiniteQuery({
    queryKey: keyOf(name, pageSize),
    queryFn: ({ signal }) =>
      call('listRecordings', { query: { ...currentQuery(), limit: pageSize }, signal }),
    initialPageParam: null,
  });
}

/**
 * A list of the server's recordings in pages; requests nothing while `isEnabled` is false. After a change, only
 * the first page and those near the window are refetched: a user who has scrolled through ten thousand rows would
 * otherwise reload all of them.
 */
export function useRecordingPages({
  name,
  query: currentQuery,
  isEnabled,
  limit = pageSize,
  what,
}: RecordingPagesOptions): RecordingPages {
  const client = useQueryClient();
  const near = useRef<Span>({ from: 0, to: 0 });
  const outOfDate = useRef(new Set<string | null>());
  const queryKey = keyOf(name, limit);
  const fetchPage = async (cursor: string | null, signal: AbortSignal): Promise<RecordingPage> => {
    const known = client.getQueryData<Pages>(queryKey) ?? nothingRead;
    const place = known.pageParams.indexOf(cursor);
    const old = known.pages[place];
    if (old && place > 0 && !pagesBetween(known.pages, near.current).includes(place)) {
      outOfDate.current.add(cursor);
      return old;
    }
    outOfDate.current.delete(cursor);
    const readsAgain = old !== undefined && limit === pageSize;
    const fresh = await call('listRecordings', {
      query: {
        ...currentQuery(),
        ...(cursor !== null && { cursor }),
        limit: readsAgain ? pageAgainSize : limit,
      },
      signal,
    });
    return readsAgain ? fitPage(fresh, old, known.pages.slice(place + 1)) : fresh;
  };
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // The rows of the last list stay until the new ones have loaded.
    placeholderData: (previous) => previous,
    select: selectList,
    enabled: isEnabled,
    meta: { what },
  });
  const show = (span: Span) => {
    near.current = span;
    const known = client.getQueryData<Pages>(queryKey);
    // A failed request is retried when the user chooses to.
    if (!known || query.isFetching || query.isError) return;
    const isStale = pagesBetween(known.pages, span).some((place) =>
      outOfDate.current.has(known.pageParams[place] ?? null),
    );
    if (isStale) void query.refetch({ cancelRefetch: false });
    else if (query.hasNextPage && span.to >= (query.data?.recordings.length ?? 0))
      void query.fetchNextPage({ cancelRefetch: false });
  };
  const isUnanswered = useUnanswered(queryKey) && isEnabled;
  // Rows of another list say nothing about this one, to which the server hasn't responded.
  const data = isEnabled && !(isUnanswered && query.isPlaceholderData) ? query.data : undefined;
  const { recordings, total } = data ?? none;
  return {
    recordings,
    total,
    hasList: data !== undefined,
    isLoading: isEnabled && query.isPending && !isUnanswered,
    hasMore: isEnabled && query.hasNextPage,
    error: query.error,
    isUnanswered,
    isOfBefore: query.isPlaceholderData,
    show,
    retry: () => void query.refetch(),
  };
}

function selectList({ pages }: Pages): { recordings: ListedRecording[]; total: number | null } {
  return { recordings: flattenPages(pages), total: pages[0]?.total ?? null };
}
