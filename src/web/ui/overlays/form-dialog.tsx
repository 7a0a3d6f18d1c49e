import type { FormEvent, ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from './dialog.tsx';
import type { DialogProps } from './dialog-props.ts';
import styles from './dialog.module.css';

export interface FormDialogProps {
  title: ReactNode;
  size?: DialogProps['size'];
  children: ReactNode;
  /** What was sent is on its way. */
  isPending?: boolean;
  /** Save or Enter; whether the dialog then closes is for who is told to say. */
  onSubmit: () => void;
  onClose: () => void;
}

/** A dialog that asks for something to be filled in: its fields, Cancel and Save. */
export function FormDialog({
  title,
  size = 'm',
  children,
  isPending = false,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    // A form in a dialog whose opener stands in another form must not send that one.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      size={size}
    >
      <form noValidate onSubmit={handleSubmit} className={styles.form}>
        {children}
        <div className={styles.buttons}>
          <Button variant="plain" onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
