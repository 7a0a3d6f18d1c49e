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
  /** The form is being submitted. */
  isPending?: boolean;
  /** Save or Enter. The handler decides whether the dialog closes. */
  onSubmit: () => void;
  onClose: () => void;
}

/** A dialog with a form: its fields, Cancel and Save. */
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
    // React bubbles the event to a form that contains the dialog's opener, which must not be submitted.
    event.stopPropagation();
    onSubmit();
  };
  return (
    <Dialog
      title={title}
      isOpen
      losesTypedText
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
