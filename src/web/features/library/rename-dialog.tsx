import { useState, type FormEvent } from 'react';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import styles from './rows.module.css';

const opening = { autoFocus: true } as const;
const longest = limits.titleLength;

export interface RenameDialogProps { title: string; onSave: (title: string) => void; onClose: () => void }

export function RenameDialog({ title, onSave, onClose }: RenameDialogProps) {
  const { t } = useLingui();
  const [text, setText] = useState(title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (trimmed === '' || codePointLength(trimmed) > longest) {
      setRefused(true);
      return;
    }
    if (trimmed !== title) onSave(trimmed);
    onClose();
  };
  return (
    <Dialog title={<Trans>Rename recording</Trans>} isOpen onOpenChange={(isOpen) => { if (!isOpen) onClose(); }} size="s">
      <form onSubmit={handleSubmit} className={styles.renameForm}>
        <TextField label={t`Title`} name="title" value={text} onChange={setText} {...opening} errorMessage={isRefused ? t`${plural(longest, { one: 'A title has # character.', other: 'A title has 1 to # characters.' })}` : null} />
        <div className={styles.renameButtons}>
          <Button variant="plain" onPress={onClose}><Trans>Cancel</Trans></Button>
          <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
        </div>
      </form>
    </Dialog>
  );
}
