import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './dialog.module.css';

/** The harmless answer has the focus. */
const opening = { autoFocus: true } as const;

export interface ConfirmDialogProps {
  title: ReactNode;
  children: ReactNode;
  /** What the button says that does it. */
  action: ReactNode;
  /** What the button says that leaves everything as it is; Cancel if nothing is given. */
  cancelLabel?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot simply be taken back. */
export function ConfirmDialog({
  title,
  children,
  action,
  cancelLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      size="s"
      title={title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <div>{children}</div>
      <div className={styles.answers}>
        <Button variant="plain" {...opening} onPress={onClose}>
          {cancelLabel ?? <Trans>Cancel</Trans>}
        </Button>
        <Button
          variant="danger"
          data-ends
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
