import { X } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classes } from '#web/ui/classes.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { DialogProps } from './dialog-props.ts';
import styles from './dialog.module.css';

export function DialogFrame({
  title,
  isOpen,
  onOpenChange,
  children,
  role = 'dialog',
  size = 'm',
}: DialogProps) {
  const { t } = useLingui();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={role === 'dialog'}
      className={classes(styles.overlay)}
    >
      <Modal className={classes(styles.modal, styles[size])}>
        <AriaDialog role={role} className={classes(styles.dialog)}>
          <div className={styles.head}>
            <Heading slot="title" level={2} className={classes(styles.title)}>
              {title}
            </Heading>
            <IconButton
              label={t`Close`}
              icon={<X aria-hidden />}
              onPress={() => onOpenChange(false)}
              className={styles.close}
            />
          </div>
          <div className={styles.body}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
