import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

const tries = 3;

/** What is worth asking again by itself: no answer, or a server in trouble. A refusal is an answer. */
function isPassing(error: Error): boolean {
  return error instanceof ApiError && (error.code === 'offline' || error.status >= 500);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // Changes arrive as live events; the time only bounds what an event lost on the way could cost.
    queries: { staleTime: 30_000, retry: (failures, error) => failures < tries && isPassing(error), throwOnError: false },
    mutations: { retry: false },
  },
});

/** The keys of everything cached about recordings; live events invalidate by them. */
export const recordingKeys = {
  /** Every list, whatever it is filtered by. */
  lists: ['recordings'] as const,
  list: (filter: { search?: string | undefined; trashed?: boolean | undefined } = {}) => ['recordings', filter] as const,
  one: (recordingId: string) => ['recording', recordingId] as const,
  peaks: (recordingId: string) => ['recording', recordingId, 'peaks'] as const,
  markers: (recordingId: string) => ['markers', recordingId] as const,
};
