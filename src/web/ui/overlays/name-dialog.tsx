import { useState, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { FormDialog } from './form-dialog.tsx';

const opening = { autoFocus: true } as const;

export interface NameDialogProps {
  title: ReactNode;
  name: string;
  /** In UTF-16 units, as the field counts. */
  maxLength: number;
  /** Called only with a changed name, trimmed. */
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks for a name, or for a new one. */
export function NameDialog({ title, name: before, maxLength, onSave, onClose }: NameDialogProps) {
  const { t } = useLingui();
  const [name, setName] = useState(before);
  const [isRejected, setRejected] = useState(false);
  const handleSubmit = () => {
    const trimmed = name.trim();
    if (trimmed === '') return setRejected(true);
    if (trimmed !== before) onSave(trimmed);
    onClose();
  };
  return (
    <FormDialog title={title} size="s" onSubmit={handleSubmit} onClose={onClose}>
      <TextField
        label={t`Name`}
        name="name"
        maxLength={maxLength}
        value={name}
        onChange={setName}
        {...opening}
        errorMessage={isRejected ? t`Fill in this field.` : null}
      />
    </FormDialog>
  );
}
