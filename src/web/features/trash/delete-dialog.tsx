import { Plural, Trans } from '@lingui/react/macro';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';

export interface DeleteDialogProps {
  count: number;
  /** The recording's title if there is only one. */
  title: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a permanent deletion. */
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
