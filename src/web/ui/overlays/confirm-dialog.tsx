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
  /** The label of the button that confirms. */
  action: ReactNode;
  /** The label of the button that changes nothing; "Cancel" by default. */
  cancelLabel?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot easily be undone. */
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
