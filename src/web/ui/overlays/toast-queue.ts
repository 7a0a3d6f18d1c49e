import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

/**
 * Words of a toast in the language shown at that moment: a toast that is open speaks a new language at once.
 */
export type ToastText = () => string;

interface ToastAction {
  label: ToastText;
  onAction: () => void;
}

export interface Toast {
  message: ToastText;
  tone?: 'plain' | 'danger' | 'success';
  action?: ToastAction;
  /** Another one beside it. */
  secondAction?: ToastAction;
  /** Where what the user pressed is gone: a keyboard goes on from here. */
  takesFocus?: boolean;
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 });
