import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx';

const opening = { autoFocus: true } as const;
const longest = limits.titleLength;

export interface RenameDialogProps {
  title: string;
  /** The name of the recording while it has no title. */
  untitled: string;
  onSave: (title: string) => void;
  onClose: () => void;
}

export function RenameDialog({ title, untitled, onSave, onClose }: RenameDialogProps) {
  const { t, i18n } = useLingui();
  const [text, setText] = useState(title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = () => {
    const trimmed = text.trim();
    if (codePointLength(trimmed) > longest) {
      setRefused(true);
      return;
    }
    if (trimmed !== title) onSave(trimmed);
    onClose();
  };
  return (
    <FormDialog title={<Trans>Rename recording</Trans>} size="s" onSubmit={handleSubmit} onClose={onClose}>
      <TextField label={t`Title`} name="title" placeholder={untitled} value={text} onChange={setText} {...opening} errorMessage={isRefused ? i18n._(fieldMessage({ code: 'too-long', params: { longest } })) : null} />
    </FormDialog>
  );
}
