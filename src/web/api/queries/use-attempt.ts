import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { readAgain, applyOptimistically } from './optimistic-change.ts';

export interface Attempt<T> {
  /** Shows the change in the cache, before the server responds. */
  show: (client: QueryClient) => void;
  act: () => Promise<T>;
  /** The data that `show` changes. A response still under way would undo it. */
  shown?: QueryKey;
  /** The queries to refetch afterwards, on success and on failure. */
  refreshed: readonly QueryKey[];
}

/**
 * Shows a change at once, makes it, and refetches. A failed change is rolled back first, because without a network
 * nothing can be refetched.
 * @param showFailure gets the message of a failure, in the language at the time of the call
 * @returns the result of the action; null if it failed
 */
export function useAttempt(
  showFailure: (message: () => string) => void,
): <T>(attempt: Attempt<T>) => Promise<{ answer: T } | null> {
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  return async ({ show, act, shown, refreshed }) => {
    if (shown) await client.cancelQueries({ queryKey: shown });
    const change = applyOptimistically(client, show);
    try {
      const answer = await act();
      change.commit();
      return { answer };
    } catch (error) {
      change.rollBack();
      showFailure(() => messageOf(error));
      return null;
    } finally {
      for (const queryKey of refreshed) readAgain(client, queryKey);
    }
  };
}
