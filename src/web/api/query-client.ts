import { QueryClient } from '@tanstack/react-query';
import { ApiError, isUnreached } from './api-error.ts';
import { knownQueryClient } from './support/known-query-client.ts';

const tries = 3;

/** What is worth asking again by itself: no answer, or a server in trouble. A refusal is an answer. */
function isPassing(error: Error): boolean {
  return isUnreached(error) || (error instanceof ApiError && error.status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Changes arrive as live events; the time only bounds what an event lost on the way could cost.
    queries: { staleTime: 30_000, retry: (failures, error) => failures < tries && isPassing(error), throwOnError: false },
    mutations: { retry: false },
  },
});
// It lives as long as the page: coming back to it, or online again, asks anew.
queryClient.mount();
knownQueryClient.set(queryClient);

/** The keys of everything cached about recordings; live events invalidate by them. */
export const recordingKeys = {
  /** All that changes when any recording does: every list, and what is counted over them. */
  lists: ['recordings'] as const,
  /** Of those, the lists of recordings themselves, page by page, whatever they are filtered by. */
  pages: ['recordings', 'of'] as const,
  one: (recordingId: string) => ['recording', recordingId] as const,
  /** Tags, saved views and facets. */
  library: ['library'] as const,
  markers: (recordingId: string) => ['markers', recordingId] as const,
  notes: (recordingId: string) => ['notes', recordingId] as const,
};
