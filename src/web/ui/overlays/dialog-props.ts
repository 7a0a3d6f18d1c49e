import type { ReactNode } from 'react';

export interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  /** `alertdialog` asks before something that cannot be undone: it does not close by a press outside. */
  role?: 'dialog' | 'alertdialog';
  size?: 's' | 'm' | 'l';
}
