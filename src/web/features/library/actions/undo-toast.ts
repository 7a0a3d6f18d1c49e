import { userScope } from '#web/api/user-scope.ts';
import type { ToastText } from '#web/ui/overlays/toast-queue.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

let dismissLast: (() => void) | null = null;

userScope.onSessionEnd(withdrawUndo);

/** Takes the last offer to undo away. */
export function withdrawUndo(): void {
  dismissLast?.();
  dismissLast = null;
}

/**
 * Says what was done and offers to undo it. Only the last thing done is offered: an older Undo would no
 * longer mean what it says.
 */
export function showUndo(toast: { message: ToastText; label: ToastText; onUndo: () => void }): void {
  withdrawUndo();
  dismissLast = showToast({
    message: toast.message,
    action: { label: toast.label, onAction: toast.onUndo },
  });
}
