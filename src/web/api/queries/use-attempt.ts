import { useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { readAgain, showChange } from './shown-change.ts';

export interface Attempt<T> {
  /** Puts what is wanted where it is shown from, before the server was asked. */
  show: (client: QueryClient) => void;
  act: () => Promise<T>;
  /** What `show` changes; an answer that is still under way would undo it. */
  shown?: QueryKey;
  /** What is read again afterwards, whether it went through or not. */
  refreshed: readonly QueryKey[];
}

/**
 * Shows a change at once, makes it, and reads the truth again; what fails is taken back first, as without a
 * network nothing is read.
 * @param showFailure gets the words for a failure, in the language at the time of the call
 * @returns what the action answered; null where it failed
 */
export function useAttempt(
  showFailure: (message: () => string) => void,
): <T>(attempt: Attempt<T>) => Promise<{ answer: T } | null> {
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  return async ({ show, act, shown, refreshed }) => {
    if (shown) await client.cancelQueries({ queryKey: shown });
    const change = showChange(client, show);
    try {
      const answer = await act();
      change.keep();
      return { answer };
    } catch (error) {
      change.takeBack();
      showFailure(() => messageOf(error));
      return null;
    } finally {
      for (const queryKey of refreshed) readAgain(client, queryKey);
    }
  };
}
