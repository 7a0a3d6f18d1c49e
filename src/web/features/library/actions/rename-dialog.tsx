import { useState } from 'react';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
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
  const { t } = useLingui();
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
      <TextField label={t`Title`} name="title" placeholder={untitled} value={text} onChange={setText} {...opening} errorMessage={isRefused ? t`${plural(longest, { one: 'Enter a title of # character.', other: 'Enter a title of 1 to # characters.' })}` : null} />
    </FormDialog>
  );
}
