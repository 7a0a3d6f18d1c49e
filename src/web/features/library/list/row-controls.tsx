import { useLingui } from '@lingui/react/macro';
import {
  CheckSquare,
  Download,
  Info,
  ListEnd,
  ListStart,
  Pencil,
  Play,
  Share2,
  Star,
  Tag as TagIcon,
  Trash2,
} from 'lucide-react';
import { urlOf } from '#web/api/call.ts';
import { StarButton } from '#web/recordings/favourites/star-button.tsx';
import { useStar } from '#web/recordings/favourites/use-star.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { MenuButton, type MenuItem } from '#web/ui/overlays/menu-button.tsx';
import { saveFrom } from '#web/ui/dom/save-file.ts';
import { isRowPlayable, RowPlay, type RowPlayback } from './row-play.tsx';
import type { LibraryItem } from './library-items.ts';
import styles from './rows.module.css';

export interface RowActions extends RowPlayback {
  onRename: (row: LibraryItem) => void;
  onEdit: (row: LibraryItem) => void;
  onTag: (row: LibraryItem) => void;
  /** Called during the press. */
  onShare: (row: LibraryItem) => void;
  onMoveToTrash: (row: LibraryItem) => void;
}

export interface RowControlsProps {
  row: LibraryItem;
  titleId: string;
  actions: RowActions;
  isTabStop: boolean;
  isChosen: boolean;
  onToggle: () => void;
}

/** Whether the server has the recording and can be reached. */
const isReachable = ({ isOnServer, isAway }: LibraryItem): boolean => isOnServer && !isAway;

/** URL of the original as uploaded; null if the server does not have it all or can't be reached. */
const originalUrlOf = (row: LibraryItem): string | null =>
  isReachable(row) && !row.isAhead ? urlOf('getOriginal', { params: { recordingId: row.id } }) : null;

/**
 * A recording in progress can't be moved to the trash, nor one that neither the server nor this device can change
 * now.
 */
export const isTrashable = ({ state, isUnavailable }: LibraryItem): boolean =>
  state !== 'recording-here' && !isUnavailable;

/** The actions on a row other than opening it. */
export function RowControls({ row, titleId, actions, isTabStop, isChosen, onToggle }: RowControlsProps) {
  const { t } = useLingui();
  const isRunning = row.state === 'recording-here';
  const tabIndex = isTabStop ? 0 : -1;
  const downloadUrl = originalUrlOf(row);
  return (
    <>
      {isRowPlayable(row) && <RowPlay row={row} titleId={titleId} playback={actions} tabIndex={tabIndex} />}
      {row.isOnServer && (
        <StarButton recording={row} titleId={titleId} tabIndex={tabIndex} className={styles.star} />
      )}
      {!isRunning && (
        <Checkbox
          label={t({
            message: 'Select',
            comment: 'Checkbox of a row: takes the recording into what is chosen',
          })}
          labelHidden
          isSelected={isChosen}
          describedBy={titleId}
          tabIndex={tabIndex}
          onChange={onToggle}
          className={styles.check}
        />
      )}
      <span className={styles.actions}>
        <span className={styles.quick}>
          {!row.isUnavailable && (
            <IconButton
              label={t`Rename`}
              aria-describedby={titleId}
              tabIndex={tabIndex}
              icon={<Pencil />}
              onPress={() => actions.onRename(row)}
            />
          )}
          {downloadUrl !== null && (
            <a
              href={downloadUrl}
              download
              aria-label={t`Download`}
              aria-describedby={titleId}
              tabIndex={tabIndex}
              data-tooltip={t`Download`}
              className={styles.download}
            >
              <Download aria-hidden />
            </a>
          )}
          {isTrashable(row) && (
            <IconButton
              label={t`Move to trash`}
              data-ends
              aria-describedby={titleId}
              tabIndex={tabIndex}
              icon={<Trash2 />}
              onPress={() => actions.onMoveToTrash(row)}
            />
          )}
        </span>
        <RowMenu
          row={row}
          tabIndex={tabIndex}
          actions={actions}
          downloadUrl={downloadUrl}
          onSelect={isRunning ? null : onToggle}
        />
      </span>
    </>
  );
}

interface RowMenuProps {
  row: LibraryItem;
  tabIndex: number;
  actions: RowActions;
  downloadUrl: string | null;
  onSelect: (() => void) | null;
}

function RowMenu({ row, tabIndex, actions, downloadUrl, onSelect }: RowMenuProps) {
  const { t } = useLingui();
  const star = useStar(row);
  const items: MenuItem[] = [];
  // Rename and trash of takes on this device, and a star, are stored here until the server responds.
  if (!row.isUnavailable)
    items.push({ id: 'rename', label: t`Rename`, icon: <Pencil />, onAction: () => actions.onRename(row) });
  if (isReachable(row))
    items.push({
      id: 'share',
      label: t({ message: 'Share', comment: 'A button: lets others listen to the recording by a link' }),
      icon: <Share2 />,
      onAction: () => actions.onShare(row),
    });
  if (isReachable(row))
    items.push({ id: 'edit', label: t`Edit details`, icon: <Info />, onAction: () => actions.onEdit(row) });
  if (row.isOnServer)
    items.push({
      id: 'favourite',
      label: star.isOn ? t`Remove from favourites` : t`Add to favourites`,
      icon: <Star />,
      onAction: star.toggle,
    });
  if (isReachable(row))
    items.push({ id: 'tags', label: t`Tags`, icon: <TagIcon />, onAction: () => actions.onTag(row) });
  if (isRowPlayable(row)) {
    items.push({ id: 'play', label: t`Play`, icon: <Play />, onAction: () => actions.onPlay(row) });
    items.push({
      id: 'play-next',
      label: t`Play next`,
      icon: <ListStart />,
      onAction: () => actions.onQueue(row, 'next'),
    });
    items.push({
      id: 'play-last',
      label: t`Add to queue`,
      icon: <ListEnd />,
      onAction: () => actions.onQueue(row, 'last'),
    });
  }
  if (onSelect)
    items.push({
      id: 'select',
      label: t({ message: 'Select', comment: 'Checkbox of a row: takes the recording into what is chosen' }),
      icon: <CheckSquare />,
      onAction: onSelect,
    });
  if (downloadUrl !== null)
    items.push({
      id: 'download',
      label: t`Download`,
      icon: <Download />,
      onAction: () => saveFrom(downloadUrl, ''),
    });
  if (isTrashable(row))
    items.push({
      id: 'trash',
      label: t`Move to trash`,
      icon: <Trash2 />,
      onAction: () => actions.onMoveToTrash(row),
    });
  return <MenuButton label={t`More actions`} items={items} tabIndex={tabIndex} />;
}
