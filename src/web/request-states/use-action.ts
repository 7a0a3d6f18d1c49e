import { useState } from 'react';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

/** Runs one call per press. It is pending until the response, and shows a toast on failure. */
export function useAction<Arguments extends unknown[]>(
  act: (...given: Arguments) => Promise<void>,
): { run: (...given: Arguments) => void; isPending: boolean } {
  const errorMessage = useErrorMessage();
  const [isPending, setPending] = useState(false);
  const run = (...given: Arguments) => {
    if (isPending) return;
    setPending(true);
    act(...given)
      .catch((error: unknown) => showFailure(() => errorMessage(error)))
      .finally(() => setPending(false));
  };
  return { run, isPending };
}
