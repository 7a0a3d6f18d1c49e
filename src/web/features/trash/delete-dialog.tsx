import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import styles from './trash.module.css';

/** The harmless answer has the focus. */
const opening = { autoFocus: true } as const;

export interface DeleteDialogProps { title: string; onConfirm: () => void; onClose: () => void }

/** The one question the product asks: what follows cannot be undone. */
export function DeleteDialog({ title, onConfirm, onClose }: DeleteDialogProps) {
  const confirm = () => {
    onConfirm();
    onClose();
  };
  return (
    <Dialog role="alertdialog" size="s" title={<Trans>Delete for good?</Trans>} isOpen onOpenChange={(isOpen) => { if (!isOpen) onClose(); }}>
      <p><Trans><UserText>{title}</UserText> and its audio will be gone. This cannot be undone.</Trans></p>
      <div className={styles.dialogButtons}>
        <Button variant="plain" {...opening} onPress={onClose}><Trans>Keep it</Trans></Button>
        <Button variant="danger" onPress={confirm}><Trans>Delete for good</Trans></Button>
      </div>
    </Dialog>
  );
}
