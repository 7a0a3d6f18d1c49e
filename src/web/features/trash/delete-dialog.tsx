import { Plural, Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';

export interface DeleteDialogProps {
  count: number;
  /** Where it is one: what it is called. */
  title: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asked before what cannot be undone. */
export function DeleteDialog({ count, title, onConfirm, onClose }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      title={<Trans>Delete permanently?</Trans>}
      action={<Trans>Delete permanently</Trans>}
      cancelLabel={<Trans>Keep</Trans>}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {title !== null ? (
        <Trans>
          “<UserText>{title}</UserText>” and its audio will be permanently deleted. You can’t undo this.
        </Trans>
      ) : (
        <Plural
          value={count}
          one="# recording and its audio will be permanently deleted. You can’t undo this."
          other="# recordings and their audio will be permanently deleted. You can’t undo this."
        />
      )}
    </ConfirmDialog>
  );
}
