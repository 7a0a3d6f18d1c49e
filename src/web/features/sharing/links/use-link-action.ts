import { useState } from 'react';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';

/** Makes one call per press. Presses are ignored until the response; a toast reports a failure. */
export function useLinkAction(act: () => Promise<unknown>): { run: () => void; isPending: boolean } {
  const messageOf = useErrorMessage();
  const [isPending, setPending] = useState(false);
  const run = async () => {
    if (isPending) return;
    setPending(true);
    try {
      await act();
    } catch (error) {
      showFailure(() => messageOf(error));
    } finally {
      setPending(false);
    }
  };
  return { run: () => void run(), isPending };
}
