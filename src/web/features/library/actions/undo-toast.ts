import { showToast } from '#web/ui/overlays/toast.tsx';

let takeAwayLast: (() => void) | null = null;

/** Tells what was done and offers to undo it. Only the last thing done is offered: an older Undo would no longer mean what it says. */
export function showUndo(toast: { message: string; label: string; onUndo: () => void }): void {
  takeAwayLast?.();
  takeAwayLast = showToast({ message: toast.message, action: { label: toast.label, onAction: toast.onUndo } });
}
