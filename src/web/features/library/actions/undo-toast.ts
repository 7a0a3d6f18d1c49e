import type { ToastText } from '#web/ui/overlays/toast-queue.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

let dismissLast: (() => void) | null = null;

/** Dismisses the last toast with Undo. */
export function withdrawUndo(): void {
  dismissLast?.();
  dismissLast = null;
}

/**
 * Shows a toast with Undo. Dismisses the previous one, because its Undo might no longer match what the user sees.
 */
export function showUndo(toast: { message: ToastText; label: ToastText; onUndo: () => void }): void {
  withdrawUndo();
  dismissLast = showToast({
    message: toast.message,
    action: { label: toast.label, onAction: toast.onUndo },
  });
}
