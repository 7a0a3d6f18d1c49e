import type { ReactNode } from 'react';

export interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
  /** `alertdialog` asks before something that cannot be undone, and does not close on a press outside. */
  role?: 'dialog' | 'alertdialog';
  size?: 's' | 'm' | 'l';
  /**
   * Whether closing the dialog would lose what was typed into it. It then asks first, and does not close on a press
   * outside.
   */
  losesTypedText?: boolean;
}
