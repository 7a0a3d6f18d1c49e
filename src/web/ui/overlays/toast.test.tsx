import { expect, test, vi } from 'vitest';
import { showToast } from './toast.tsx';
import { toastQueue } from './toast-queue.ts';

const shown = () => toastQueue.visibleToasts.map(({ content }) => content.message());

test('a toast stays ten seconds, longer under the pointer, and long enough to read', () => {
  vi.useFakeTimers();
  showToast({ message: () => 'Moved to the trash.' });
  toastQueue.resumeAll();
  vi.advanceTimersByTime(9_999);
  expect(shown()).toEqual(['Moved to the trash.']);
  toastQueue.pauseAll();
  vi.advanceTimersByTime(60_000);
  expect(shown()).toEqual(['Moved to the trash.']);
  toastQueue.resumeAll();
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);

  const long = 'a'.repeat(200);
  showToast({ message: () => long });
  toastQueue.resumeAll();
  vi.advanceTimersByTime(14_999);
  expect(shown()).toEqual([long]);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
  vi.useRealTimers();
});

test('a toast can be dismissed by the code that showed it', () => {
  const dismiss = showToast({ message: () => 'Saving' });
  expect(shown()).toEqual(['Saving']);
  dismiss();
  expect(shown()).toEqual([]);
});

test('the same message is shown once at a time, unless its actions concern different things', () => {
  const message = () => 'Your recording is moving to your account';
  showToast({ message });
  showToast({ message, tone: 'success' });
  expect(shown()).toEqual(['Your recording is moving to your account']);
  const undo = { label: () => 'Undo', onAction: () => undefined };
  showToast({ message: () => 'Moved to the trash.', action: undo });
  showToast({ message: () => 'Moved to the trash.', action: undo });
  expect(shown().filter((text) => text === 'Moved to the trash.')).toHaveLength(2);
});
