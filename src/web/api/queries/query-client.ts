import { QueryClient, type Query } from '@tanstack/react-query';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { userScope } from '#web/api/user-scope.ts';
import { watchQueries } from './unanswered.ts';
import { knownQueryClient } from './known-query-client.ts';

const tries = 3;

/**
 * Whether to retry automatically. An error response is final below 500. An unreachable server is retried once
 * only, so that the screen soon says so.
 */
function shouldRetry(failures: number, error: Error): boolean {
  if (isUnreached(error)) return failures < 1;
  return failures < tries && error instanceof ApiError && error.status >= 500;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Live events report changes; the time limits the damage of a lost event. `always`: without a connection a
    // query fails and the screen says so. The default mode would wait in silence.
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
const isOfUser = ({ meta }: Query): boolean => meta?.isPublic !== true;

/** Forgets all data of the user without refetching, because the screens may still assume a session. */
function forgetUser(): void {
  queryClient.getMutationCache().clear();
  queryClient.removeQueries({ type: 'inactive', predicate: isOfUser });
  for (const query of queryClient.getQueryCache().findAll({ predicate: isOfUser })) query.reset();
}

userScope.onSessionEnd(forgetUser);
// It lives as long as the page. Mounted, it refetches when the page regains focus or the network.
queryClient.mount();
knownQueryClient.set(queryClient);
watchQueries(queryClient);
// Refetches what failed without a connection.
onReachableAgain(() => {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
});

/** The keys of everything cached about recordings. Live events invalidate by them. */
export const recordingKeys = {
  /** All that changes with any recording: every list, and the counts over them. */
  lists: ['recordings'] as const,
  /** The lists of recordings themselves, page by page, under any filter. */
  pages: ['recordings', 'of'] as const,
  one: (recordingId: string) => ['recording', recordingId] as const,
  /** Tags, saved views and facets. */
  library: ['library'] as const,
  markers: (recordingId: string) => ['markers', recordingId] as const,
  notes: (recordingId: string) => ['notes', recordingId] as const,
  transcript: (recordingId: string) => ['transcript', recordingId] as const,
  transcriber: ['transcriber'] as const,
};

/** The keys of everything cached about links. */
export const shareKeys = {
  everything: ['shares'] as const,
  /** All links of the user. */
  all: ['shares', 'all'] as const,
  /** The links that work now. */
  active: ['shares', 'active'] as const,
  ofRecording: (recordingId: string) => ['shares', 'recording', recordingId] as const,
};
