import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components/Toast';

export interface Toast {
  message: string;
  tone?: 'plain' | 'danger' | 'success';
  action?: { label: string; onAction: () => void };
}

export const toastQueue = new ToastQueue<Toast>({ maxVisibleToasts: 3 });
