import { useAttempt, type Attempt } from '#web/api/queries/use-attempt.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { withdrawUndo } from './undo-toast.ts';

/**
 * Performs a change of the library that offers an Undo. It dismisses the previous Undo first, so that the user
 * does not mistake it for the new one.
 */
export function useUndoable(): ReturnType<typeof useAttempt> {
  const attempt = useAttempt(showFailure);
  return <T>(change: Attempt<T>) => {
    withdrawUndo();
    return attempt(change);
  };
}
