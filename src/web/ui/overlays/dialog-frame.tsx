import { useState, type FocusEvent } from 'react';
import { X } from 'lucide-react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import '#web/ui/focus/keyboard-clicks.ts';
import type { DialogProps } from './dialog-props.ts';
import { textFieldOf, TypedFields } from './typed-fields.ts';
import styles from './dialog.module.css';

/** The harmless answer has the focus. */
const opening = { autoFocus: true } as const;

export function DialogFrame({
  title,
  isOpen,
  onOpenChange,
  children,
  role = 'dialog',
  size = 'm',
  losesTypedText = false,
}: DialogProps) {
  const { t } = useLingui();
  const [typed] = useState(() => new TypedFields());
  const [isAsking, setAsking] = useState(false);
  const handleOpenChange = (isNowOpen: boolean) => {
    if (!isNowOpen && losesTypedText && typed.isChanged) setAsking(true);
    else onOpenChange(isNowOpen);
  };
  const handleFocus = ({ target }: FocusEvent) => {
    const field = textFieldOf(target);
    if (field) typed.noteFocus(field);
  };
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={handleOpenChange}
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
              onPress={() => handleOpenChange(false)}
              className={styles.close}
            />
          </div>
          <div className={styles.body} onFocusCapture={handleFocus}>
            {children}
            {isAsking && (
              <Notice
                tone="warn"
                role="alert"
                className={classes(styles.asking)}
                title={<Trans>Discard what you typed?</Trans>}
              >
                <div className={styles.discard}>
                  <Button {...opening} onPress={() => setAsking(false)}>
                    <Trans>Keep editing</Trans>
                  </Button>
                  <Button variant="danger" onPress={() => onOpenChange(false)}>
                    <Trans>Discard</Trans>
                  </Button>
                </div>
              </Notice>
            )}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
