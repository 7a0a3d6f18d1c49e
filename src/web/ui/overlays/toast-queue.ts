import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

interface ToastAction { label: string; onAction: () => void }

export interface Toast {
  message: string;
  tone?: 'plain' | 'danger' | 'success';
  action?: ToastAction;
  /** Another one beside it. */
  secondAction?: ToastAction;
  /** Where what the user pressed is gone: a keyboard goes on from here. */
  takesFocus?: boolean;
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 });
