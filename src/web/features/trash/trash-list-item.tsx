import { useId } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Undo2 } from 'lucide-react';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { daysLeft } from './days-left.ts';
import { TrashPlay, type TrashPlayback } from './trash-play.tsx';
import type { Trashed } from './use-trash.ts';
import styles from './trash.module.css';

export interface TrashListItemProps {
  item: Trashed;
  nowMs: number;
  isChosen: boolean;
  playback: TrashPlayback;
  onToggle: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

export function TrashListItem({
  item,
  nowMs,
  isChosen,
  playback,
  onToggle,
  onRestore,
  onDelete,
}: TrashListItemProps) {
  const { t } = useLingui();
  const titleId = useId();
  return (
    <div className={classes(styles.row, isChosen && styles.chosen)}>
      <Checkbox
        label={t({
          message: 'Select',
          comment: 'Checkbox of a row: takes the recording into what is chosen',
        })}
        labelHidden
        isSelected={isChosen}
        describedBy={titleId}
        onChange={onToggle}
        className={styles.check}
      />
      <div className={styles.text}>
        <span id={titleId} className={styles.title}>
          <RecordingTitle of={item} />
        </span>
        <span className={styles.meta}>
          <RecordedTimeText time={item.recordedTime} />
          {item.durationMs !== null && item.durationMs > 0 && (
            <span>
              <Timecode ms={item.durationMs} />
            </span>
          )}
          <span>
            <Plural
              value={daysLeft(item.deletedAtMs, nowMs)}
              _0="permanently deleted today"
              one="# day left"
              other="# days left"
            />
          </span>
        </span>
      </div>
      <div className={styles.actions}>
        <Button icon={<Undo2 aria-hidden />} aria-describedby={titleId} onPress={onRestore}>
          <Trans>Restore</Trans>
        </Button>
        {/* After Restore, which gets the focus of a row that is gone. */}
        {!item.hasNoSound && item.durationMs !== 0 && (
          <TrashPlay item={item} titleId={titleId} playback={playback} />
        )}
        <Button variant="plain" aria-describedby={titleId} onPress={onDelete}>
          <Trans>Delete permanently</Trans>
        </Button>
      </div>
    </div>
  );
}
