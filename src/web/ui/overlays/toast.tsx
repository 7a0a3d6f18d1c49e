import { Suspense } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { toastQueue, type Toast, type ToastText } from './toast-queue.ts';

/** The shortest time that a toast stays. The timer pauses while the pointer or the focus is on it. */
const minMs = 10_000;
const readingMsPerCharacter = 75;

const list = backgroundChunk(() => import('./toast-list.tsx'));
const ToastList = list.component((chunk) => chunk.ToastList);

const waitingToasts = {
  subscribe: (listener: () => void) => toastQueue.subscribe(listener),
  getSnapshot: () => toastQueue.visibleToasts.length > 0,
};

const hasActions = ({ action, secondAction }: Toast): boolean =>
  action !== undefined || secondAction !== undefined;

/** Removes a message with the same text. Actions of two toasts may concern different things, so those stay. */
function closeSame(toast: Toast): void {
  if (hasActions(toast)) return;
  for (const { key, content } of toastQueue.visibleToasts)
    if (!hasActions(content) && content.message() === toast.message()) toastQueue.close(key);
}

/**
 * Shows a message at the edge of the screen, read out politely. It replaces one with the same text. `onGone` is
 * called once its actions are no longer available.
 * @returns dismisses it
 */
export function showToast(toast: Toast, { onGone }: { onGone?: () => void } = {}): () => void {
  closeSame(toast);
  const timeout = Math.max(minMs, toast.message().length * readingMsPerCharacter);
  const key = toastQueue.add(toast, { timeout, ...(onGone && { onClose: onGone }) });
  return () => toastQueue.close(key);
}

/** Removes all messages: those before a sign-in, or of another user. */
export function clearToasts(): void {
  // The queue's own `clear` does not call `onGone`.
  for (let [first] = toastQueue.visibleToasts; first; [first] = toastQueue.visibleToasts)
    toastQueue.close(first.key);
}

/** Removes the messages about things that are gone, because their words and actions no longer hold. */
export function dismissToastsAbout(ids: readonly string[]): void {
  for (const { key, content } of toastQueue.visibleToasts)
    if (content.about !== undefined && ids.includes(content.about)) toastQueue.close(key);
}

/** Shows the message of a failure. */
export function showFailure(message: ToastText): void {
  showToast({ message, tone: 'danger' });
}

/** Loads the code of toasts before the first one. */
export const preloadToasts = list.load;

/** The region for toasts, the same on every screen. */
export function ToastRegion() {
  const hasToasts = useStore(waitingToasts);
  return hasToasts ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
