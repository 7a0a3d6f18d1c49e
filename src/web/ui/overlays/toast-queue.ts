import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

/** Returns the text of a toast in the current language, so that an open toast follows a switch of the language. */
export type ToastText = () => string;

interface ToastAction {
  label: ToastText;
  onAction: () => void;
}

export interface Toast {
  message: ToastText;
  tone?: 'plain' | 'danger' | 'success';
  action?: ToastAction;
  /** A second action beside the first. */
  secondAction?: ToastAction;
  /** What it is about: it goes when that is gone. */
  about?: string;
  /** Set if the pressed control is gone, so that keyboard users continue from the toast. */
  takesFocus?: boolean;
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 });
