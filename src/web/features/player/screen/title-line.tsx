import { useId, useState, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Download, Mic, Pencil, Share2, Trash2 } from 'lucide-react';
import { StarButton } from '#web/recordings/favourites/star-button.tsx';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import type { Titled } from '#web/recordings/time/title-text.ts';
import { hasTitleDraft } from '#web/recordings/time/use-title-draft.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { DownloadButton, DownloadDialog } from '#web/features/player/download/download-button.tsx';
import type { DownloadProps } from '#web/features/player/download/download-props.ts';
import { TitleForm } from './title-form.tsx';
import styles from './screen.module.css';

export interface TitleLineProps {
  recording: Titled & { id: string; isFavourite: boolean };
  facts: ReactNode;
  /** Whether the recording can be added to the favourites. */
  isStarrable: boolean;
  /** Passed to the download dialog. */
  download: DownloadProps;
  onRename: ((title: string) => void) | undefined;
  onShare: (() => void) | undefined;
  onMoveToTrash: (() => void) | undefined;
  onContinueRecording: (() => void) | undefined;
}

/** The recording's title, which can be edited in place. */
export function TitleLine({
  recording,
  facts,
  isStarrable,
  download,
  onRename,
  onShare,
  onMoveToTrash,
  onContinueRecording,
}: TitleLineProps) {
  const titleId = useId();
  const favouriteKey = useKeyLabel('player.favourite');
  const [isEditing, setEditing] = useState(() => hasTitleDraft(recording.id));
  if (isEditing && onRename) {
    return (
      <TitleForm
        recording={recording}
        onCancel={() => setEditing(false)}
        onSave={(changed) => {
          setEditing(false);
          if (changed !== recording.title) onRename(changed);
        }}
      />
    );
  }
  const actions = (
    <>
      {isStarrable && (
        <StarButton recording={recording} titleId={titleId} shortcut={favouriteKey} className={styles.star} />
      )}
      <TitleActions
        download={download}
        onEdit={onRename && (() => setEditing(true))}
        onShare={onShare}
        onMoveToTrash={onMoveToTrash}
        onContinueRecording={onContinueRecording}
      />
    </>
  );
  return (
    <PageHeader
      title={
        <span id={titleId}>
          <RecordingTitle of={recording} />
        </span>
      }
      meta={facts}
      actions={actions}
    />
  );
}

interface TitleActionsProps extends Pick<
  TitleLineProps,
  'download' | 'onShare' | 'onMoveToTrash' | 'onContinueRecording'
> {
  onEdit: (() => void) | undefined;
}

/** Buttons on wide screens, one menu on narrow ones. */
function TitleActions({ download, onEdit, onShare, onMoveToTrash, onContinueRecording }: TitleActionsProps) {
  const { t } = useLingui();
  const shareKey = useKeyLabel('player.share');
  const share = t({ message: 'Share', comment: 'A button: lets others listen to the recording by a link' });
  const [isDownloading, setDownloading] = useState(false);
  const openDownload = () => setDownloading(true);
  const items: MenuItem[] = [
    ...(onShare ? [{ id: 'share', label: share, icon: <Share2 />, onAction: onShare }] : []),
    { id: 'download', label: t`Download`, icon: <Download />, onAction: openDownload },
  ];
  if (onEdit) items.push({ id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: onEdit });
  if (onContinueRecording)
    items.push({
      id: 'keep-recording',
      label: t`Continue recording`,
      icon: <Mic />,
      onAction: onContinueRecording,
    });
  if (onMoveToTrash)
    items.push({ id: 'trash', label: t`Move to trash`, icon: <Trash2 />, onAction: onMoveToTrash });
  return (
    <>
      <span className={styles.buttons}>
        {onEdit && <IconButton label={t`Rename`} icon={<Pencil />} onPress={onEdit} />}
        {onContinueRecording && (
          <Button icon={<Mic aria-hidden />} onPress={onContinueRecording}>{t`Continue recording`}</Button>
        )}
        {onShare && (
          <Button
            icon={<Share2 aria-hidden />}
            data-tooltip={shareKey ? `${share} (${shareKey})` : undefined}
            onPress={onShare}
          >
            {share}
          </Button>
        )}
        <DownloadButton onPress={openDownload} />
        {onMoveToTrash && (
          <IconButton data-ends label={t`Move to trash`} icon={<Trash2 />} onPress={onMoveToTrash} />
        )}
      </span>
      <MenuButton label={t`More actions`} items={items} className={styles.menu} />
      {isDownloading && <DownloadDialog {...download} onClose={() => setDownloading(false)} />}
    </>
  );
}
