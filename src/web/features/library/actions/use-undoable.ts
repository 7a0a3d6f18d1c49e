import { useAttempt, type Attempt } from '#web/api/queries/use-attempt.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { withdrawUndo } from './undo-toast.ts';

/**
 * Makes a change of the library that can be undone once it is made; from its first moment on no older Undo is
 * there to be taken for its own.
 */
export function useUndoable(): ReturnType<typeof useAttempt> {
  const attempt = useAttempt(showFailure);
  return <T>(change: Attempt<T>) => {
    withdrawUndo();
    return attempt(change);
  };
}
