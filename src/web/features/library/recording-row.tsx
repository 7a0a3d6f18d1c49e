import { useId } from 'react';
import { Plural, useLingui } from '@lingui/react/macro';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { urlOf } from '#web/api/call.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { classes } from '#web/ui/classes.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { MenuButton, type MenuItem } from '#web/ui/controls/menu-button.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { LocalOverviews } from './local-overviews.ts';
import type { LibraryRow, RowState } from './rows.ts';
import { LocalThumbnail, ThumbnailWave } from './thumbnail-wave.tsx';
import styles from './rows.module.css';

export interface RowActions {
  onRename: (row: LibraryRow) => void;
  onMoveToTrash: (row: LibraryRow) => void;
}

const stateStyles: Record<RowState, string | undefined> = {
  'recording-here': styles.isLive, receiving: styles.isLive, finishing: styles.isOpen, ready: styles.isSafe, abandoned: styles.isWarning,
  failed: styles.isWarning, device: styles.isHere, syncing: styles.isHere,
};

export interface RecordingRowProps { row: LibraryRow; overviews: LocalOverviews; actions: RowActions | null }

/** One recording in a list. The whole row is its link; what else can be done appears on hover and focus, on touch screens in a menu. */
export function RecordingRow({ row, overviews, actions }: RecordingRowProps) {
  const { t } = useLingui();
  const format = useFormat();
  const titleId = useId();
  const live = t({ message: 'Recording', context: 'row state' });
  const words: Record<RowState, string> = {
    'recording-here': live, receiving: live, finishing: t`Finishing`, ready: t`On server`, abandoned: t`Interrupted`, failed: t`Not ready yet`, device: t`On device`, syncing: t`Uploading`,
  };
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <Link unstyled href={`/recordings/${row.id}`} dir="auto" className={styles.title}><span id={titleId}><UserText>{row.title}</UserText></span></Link>
        <span className={styles.meta}>
          <time dateTime={new Date(row.startedAtMs).toISOString()}>{format.dateTime(row.startedAtMs)}</time>
          {row.markers > 0 && <span><Plural value={row.markers} one="# marker" other="# markers" /></span>}
        </span>
      </div>
      {row.isOnServer || row.state === 'recording-here' ? <ThumbnailWave overview={row.overview} /> : <LocalThumbnail overviews={overviews} take={row} />}
      <Timecode ms={row.durationMs} className={styles.length} />
      <span className={classes(styles.state, stateStyles[row.state])}>{words[row.state]}</span>
      {actions && <Actions row={row} titleId={titleId} actions={actions} />}
    </div>
  );
}

function Actions({ row, titleId, actions }: { row: LibraryRow; titleId: string; actions: RowActions }) {
  const { t } = useLingui();
  const isRunning = row.state === 'recording-here';
  const downloadUrl = row.isOnServer ? urlOf('getAudio', { params: { recordingId: row.id }, query: { download: 'true' } }) : null;
  const items: MenuItem[] = [{ id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: () => actions.onRename(row) }];
  if (downloadUrl !== null) items.push({ id: 'download', label: t`Download`, icon: <Download />, onAction: () => location.assign(downloadUrl) });
  if (!isRunning) items.push({ id: 'trash', label: t`Move to trash`, icon: <Trash2 />, onAction: () => actions.onMoveToTrash(row) });
  return (
    <>
      <span className={styles.actions}>
        <IconButton label={t`Rename`} aria-describedby={titleId} icon={<Pencil />} onPress={() => actions.onRename(row)} />
        {downloadUrl !== null && <a href={downloadUrl} download aria-label={t`Download`} aria-describedby={titleId} data-tooltip={t`Download`} className={styles.download}><Download aria-hidden /></a>}
        {!isRunning && <IconButton label={t`Move to trash`} aria-describedby={titleId} icon={<Trash2 />} onPress={() => actions.onMoveToTrash(row)} />}
      </span>
      <MenuButton label={t`More actions`} items={items} className={styles.menu} />
    </>
  );
}
