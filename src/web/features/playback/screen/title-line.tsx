import { useState, type FormEvent, type ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Mic, Pencil, Trash2 } from 'lucide-react';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { RecordingTitle } from '#web/recorded-time/recording-title.tsx';
import { titleText, type Titled } from '#web/recorded-time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { MenuButton, type MenuItem } from '#web/ui/controls/menu-button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { DownloadButton, DownloadDialog } from '../take-away/take-away.tsx';
import type { TakeAwayProps } from '../take-away/take-away-props.ts';
import styles from './screen.module.css';

const opening = { autoFocus: true } as const;
const longest = limits.titleLength;

export interface TitleLineProps {
  recording: Titled;
  facts: ReactNode;
  /** What leaves by Download. */
  takeAway: TakeAwayProps;
  onRename: ((title: string) => void) | undefined;
  onMoveToTrash: (() => void) | undefined;
  onKeepRecording: (() => void) | undefined;
}

/** The recording's title, which can be changed where it stands. */
export function TitleLine({ recording, facts, takeAway, onRename, onMoveToTrash, onKeepRecording }: TitleLineProps) {
  const [isEditing, setEditing] = useState(false);
  if (isEditing && onRename) {
    return <TitleForm recording={recording} onCancel={() => setEditing(false)} onSave={(changed) => {
      setEditing(false);
      if (changed !== recording.title) onRename(changed);
    }} />;
  }
  const actions = <TitleActions takeAway={takeAway} onEdit={onRename && (() => setEditing(true))} onMoveToTrash={onMoveToTrash} onKeepRecording={onKeepRecording} />;
  return <PageHeader title={<RecordingTitle of={recording} />} meta={facts} actions={actions} />;
}

interface TitleActionsProps extends Pick<TitleLineProps, 'takeAway' | 'onMoveToTrash' | 'onKeepRecording'> { onEdit: (() => void) | undefined }

/** Buttons on wide screens, one menu on narrow ones. */
function TitleActions({ takeAway, onEdit, onMoveToTrash, onKeepRecording }: TitleActionsProps) {
  const { t } = useLingui();
  const [isDownloading, setDownloading] = useState(false);
  const download = () => setDownloading(true);
  const items: MenuItem[] = [{ id: 'download', label: t`Download`, icon: <Download />, onAction: download }];
  if (onEdit) items.push({ id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: onEdit });
  if (onKeepRecording) items.push({ id: 'keep-recording', label: t`Keep recording`, icon: <Mic />, onAction: onKeepRecording });
  if (onMoveToTrash) items.push({ id: 'trash', label: t`Move to trash`, icon: <Trash2 />, onAction: onMoveToTrash });
  return (
    <>
      <span className={styles.buttons}>
        {onEdit && <IconButton label={t`Rename`} icon={<Pencil />} onPress={onEdit} />}
        {onKeepRecording && <Button icon={<Mic aria-hidden />} onPress={onKeepRecording}>{t`Keep recording`}</Button>}
        {onMoveToTrash && <Button data-ends icon={<Trash2 aria-hidden />} onPress={onMoveToTrash}>{t`Move to trash`}</Button>}
        <DownloadButton onPress={download} />
      </span>
      <MenuButton label={t`More actions`} items={items} className={styles.menu} />
      {isDownloading && <DownloadDialog {...takeAway} onClose={() => setDownloading(false)} />}
    </>
  );
}

function TitleForm({ recording, onSave, onCancel }: { recording: Titled; onSave: (title: string) => void; onCancel: () => void }) {
  const { t, i18n } = useLingui();
  const [text, setText] = useState(recording.title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (codePointLength(trimmed) > longest) setRefused(true);
    else onSave(trimmed);
  };
  return (
    <form onSubmit={handleSubmit} className={styles.titleForm}>
      <h1 tabIndex={-1} className={styles.hiddenHeading}><RecordingTitle of={recording} /></h1>
      <TextField
        label={t`Title`} name="title" placeholder={titleText({ ...recording, title: '' })} value={text} onChange={setText} {...opening} maxLength={longest * 2} className={styles.titleField}
        errorMessage={isRefused ? i18n._(fieldMessage({ code: 'too-long', params: { longest } })) : null}
        onKeyDown={(event) => { if (event.key === 'Escape') onCancel(); }}
      />
      <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
      <Button variant="plain" onPress={onCancel}><Trans>Cancel</Trans></Button>
    </form>
  );
}
