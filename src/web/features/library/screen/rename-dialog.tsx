import { Trans, useLingui } from '@lingui/react/macro';
import { useTitleDraft } from '#web/recordings/time/use-title-draft.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

const opening = { autoFocus: true } as const;

export interface RenameDialogProps {
  id: string;
  title: string;
  /** The placeholder: the name shown for a recording without a title. */
  untitled: string;
  onSave: (title: string) => void;
  onClose: () => void;
}

export function RenameDialog({ id, title, untitled, onSave, onClose }: RenameDialogProps) {
  const { t } = useLingui();
  const { field, accepted, forget } = useTitleDraft({ id, title });
  const handleClose = () => {
    forget();
    onClose();
  };
  const handleSubmit = () => {
    const changed = accepted();
    if (changed === null) return;
    if (changed !== title) onSave(changed);
    handleClose();
  };
  return (
    <FormDialog
      title={<Trans>Rename recording</Trans>}
      size="s"
      onSubmit={handleSubmit}
      onClose={handleClose}
    >
      <TextField label={t`Title`} name="title" placeholder={untitled} {...field} {...opening} />
    </FormDialog>
  );
}
