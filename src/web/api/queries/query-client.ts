import { QueryClient } from '@tanstack/react-query';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { userScope } from '#web/api/user-scope.ts';
import { watchQueries } from './unanswered.ts';
import { knownQueryClient } from './known-query-client.ts';

const tries = 3;

/**
 * Whether to ask again by itself. A refusal is an answer. A server that can't be reached is asked once more,
 * so that the screen soon says so.
 */
function shouldRetry(failures: number, error: Error): boolean {
  if (isUnreached(error)) return failures < 1;
  return failures < tries && error instanceof ApiError && error.status >= 500;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Changes arrive as live events; the time only bounds what an event lost on the way could cost.
    // `always`: without a connection a query fails, and the screen says so. By default it would wait in
    // silence.
    queries: {
      staleTime: 30_000,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: shouldRetry,
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});
/**
 * Empties the cache and asks for nothing: the screens may still believe that the session is there.
 */
function forgetEverything(): void {
  queryClient.getMutationCache().clear();
  queryClient.removeQueries({ type: 'inactive' });
  for (const query of queryClient.getQueryCache().getAll()) query.reset();
}

userScope.onSessionEnd(forgetEverything);
// It lives as long as the page: coming back to it, or online again, asks again.
queryClient.mount();
knownQueryClient.set(queryClient);
watchQueries(queryClient);
// What failed for want of a connection is asked again when there is one.
onReachableAgain(() => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
});

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
