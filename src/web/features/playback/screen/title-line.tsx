import { useState, type FormEvent, type ReactNode } from 'react';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { MenuButton, type MenuItem } from '#web/ui/controls/menu-button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import styles from './screen.module.css';

const opening = { autoFocus: true } as const;
const longest = limits.titleLength;

export interface TitleLineProps {
  title: string;
  facts: ReactNode;
  downloadUrl: string;
  onRename: ((title: string) => void) | undefined;
  onMoveToTrash: (() => void) | undefined;
}

/** The recording's title, which can be changed where it stands. */
export function TitleLine({ title, facts, downloadUrl, onRename, onMoveToTrash }: TitleLineProps) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing && onRename) {
    return <TitleForm title={title} onCancel={() => setEditing(false)} onSave={(changed) => {
      setEditing(false);
      if (changed !== title) onRename(changed);
    }} />;
  }
  const actions = <TitleActions title={title} downloadUrl={downloadUrl} onEdit={onRename && (() => setEditing(true))} onMoveToTrash={onMoveToTrash} />;
  return <PageHeader title={<UserText>{title}</UserText>} meta={facts} actions={actions} />;
}

interface TitleActionsProps extends Pick<TitleLineProps, 'title' | 'downloadUrl' | 'onMoveToTrash'> { onEdit: (() => void) | undefined }

/** Buttons where there is room for them, one menu where there is not. */
function TitleActions({ title, downloadUrl, onEdit, onMoveToTrash }: TitleActionsProps) {
  const { t } = useLingui();
  const fileName = fileNameOf(title);
  const items: MenuItem[] = [{ id: 'download', label: t`Download`, icon: <Download />, onAction: () => saveFile(downloadUrl, fileName) }];
  if (onEdit) items.unshift({ id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: onEdit });
  if (onMoveToTrash) items.push({ id: 'trash', label: t`Move to trash`, icon: <Trash2 />, onAction: onMoveToTrash });
  return (
    <>
      <span className={styles.buttons}>
        {onEdit && <IconButton label={t`Rename`} icon={<Pencil />} onPress={onEdit} />}
        <LinkButton href={downloadUrl} download={fileName} icon={<Download aria-hidden />}>{t`Download`}</LinkButton>
        {onMoveToTrash && <Button icon={<Trash2 aria-hidden />} onPress={onMoveToTrash}>{t`Move to trash`}</Button>}
      </span>
      <MenuButton label={t`More actions`} items={items} className={styles.menu} />
    </>
  );
}

/** A name every file system takes: what they forbid becomes a dash. */
const fileNameOf = (title: string): string => `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 120).trim()}.ogg`;

function saveFile(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}

function TitleForm({ title, onSave, onCancel }: { title: string; onSave: (title: string) => void; onCancel: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState(title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (trimmed === '' || codePointLength(trimmed) > longest) setRefused(true);
    else onSave(trimmed);
  };
  return (
    <form onSubmit={handleSubmit} className={styles.titleForm}>
      <h1 tabIndex={-1} className={styles.hiddenHeading}><UserText>{title}</UserText></h1>
      <TextField
        label={t`Title`} name="title" value={text} onChange={setText} {...opening} maxLength={longest * 2} className={styles.titleField}
        errorMessage={isRefused ? t`${plural(longest, { one: 'A title has # character.', other: 'A title has 1 to # characters.' })}` : null}
        onKeyDown={(event) => { if (event.key === 'Escape') onCancel(); }}
      />
      <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
      <Button variant="plain" onPress={onCancel}><Trans>Cancel</Trans></Button>
    </form>
  );
}
