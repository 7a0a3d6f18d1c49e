import { useState, type FormEvent, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil } from 'lucide-react';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import styles from './screen.module.css';

const opening = { autoFocus: true } as const;

export interface TitleLineProps {
  title: string;
  facts: ReactNode;
  actions: ReactNode;
  onRename: ((title: string) => void) | undefined;
}

/** The recording's title, which can be changed where it stands. */
export function TitleLine({ title, facts, actions, onRename }: TitleLineProps) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(false);
  if (isEditing && onRename) {
    return <TitleForm title={title} onCancel={() => setEditing(false)} onSave={(changed) => {
      setEditing(false);
      if (changed !== title) onRename(changed);
    }} />;
  }
  const renameButton = onRename && <IconButton label={t`Rename`} icon={<Pencil />} onPress={() => setEditing(true)} className={styles.rename} />;
  return <PageHeader title={<UserText>{title}</UserText>} meta={facts} actions={<>{renameButton}{actions}</>} />;
}

function TitleForm({ title, onSave, onCancel }: { title: string; onSave: (title: string) => void; onCancel: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState(title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (trimmed === '' || codePointLength(trimmed) > limits.titleLength) setRefused(true);
    else onSave(trimmed);
  };
  return (
    <form onSubmit={handleSubmit} className={styles.titleForm}>
      <h1 tabIndex={-1} className={styles.hiddenHeading}><UserText>{title}</UserText></h1>
      <TextField
        label={t`Title`} name="title" value={text} onChange={setText} {...opening} maxLength={limits.titleLength * 2} className={styles.titleField}
        errorMessage={isRefused ? t`A title has 1 to ${limits.titleLength} characters.` : null}
        onKeyDown={(event) => { if (event.key === 'Escape') onCancel(); }}
      />
      <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
      <Button variant="plain" onPress={onCancel}><Trans>Cancel</Trans></Button>
    </form>
  );
}
