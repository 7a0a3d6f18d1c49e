import { lazy, Suspense } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { toastQueue, type Toast, type ToastText } from './toast-queue.ts';

/** How long a toast stays at least; it waits longer while a pointer or the focus is on it. */
const shortestMs = 10_000;
const readingMsPerCharacter = 75;

const loadList = () => import('./toast-list.tsx');
const ToastList = lazy(async () => ({ default: (await loadList()).ToastList }));

const waitingToasts = {
  subscribe: (listener: () => void) => toastQueue.subscribe(listener),
  getSnapshot: () => toastQueue.visibleToasts.length > 0,
};

/**
 * Shows a message at the edge of the screen, read out politely; gives back what takes it away. `onGone` is
 * told when nobody can act on it any more.
 */
export function showToast(toast: Toast, { onGone }: { onGone?: () => void } = {}): () => void {
  const timeout = Math.max(shortestMs, toast.message().length * readingMsPerCharacter);
  const key = toastQueue.add(toast, { timeout, ...(onGone && { onClose: onGone }) });
  return () => toastQueue.close(key);
}

/** Removes all messages: those before a sign-in, or of another user. */
export const clearToasts = (): void => toastQueue.clear();

/** The same for what went wrong. */
export function showFailure(message: ToastText): void {
  showToast({ message, tone: 'danger' });
}

/** Fetches the code of toasts ahead of the first one. */
export const preloadToasts = async (): Promise<void> => {
  await loadList();
};

/** Where toasts appear, the same on every screen. */
export function ToastRegion() {
  const hasToasts = useStore(waitingToasts);
  return hasToasts ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
