import { useRef } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { PressButton as Button } from '#web/ui/controls/press-button.tsx';
import { classes } from '#web/ui/classes.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import styles from './controls.module.css';

/** A second press so soon belongs to the first: nobody wants to stop, or begin again, by a double click. */
const doublePressMs = 400;

export interface RecordButtonProps {
  status: TakeState['status'];
  onRecord: () => void;
  onStop: () => void;
}

const stopStatuses: ReadonlySet<TakeState['status']> = new Set([
  'recording',
  'paused',
  'interrupted',
  'stopping',
]);

/** The one round button: the same element before, during and after, so that the focus stays where it is. */
export function RecordButton({ status, onRecord, onStop }: RecordButtonProps) {
  const { t } = useLingui();
  const key = useKeyLabel('recorder.record');
  const pressedAtMs = useRef(-doublePressMs);
  const isStop = stopStatuses.has(status);
  const isBusy = status === 'asking' || status === 'stopping';

  const handlePress = () => {
    const nowMs = performance.now();
    if (isBusy || nowMs - pressedAtMs.current < doublePressMs) return;
    pressedAtMs.current = nowMs;
    if (isStop) onStop();
    else onRecord();
  };

  const label = isStop ? t`Stop` : t`Record`;
  return (
    <Button
      aria-label={label}
      data-record
      data-ends={isStop || undefined}
      data-tooltip={key ? `${label} (${key})` : label}
      onPress={handlePress}
      className={classes(
        styles.record,
        status === 'stopped' && styles.small,
        isStop && styles.isStop,
        isBusy && styles.isBusy,
      )}
    >
      <span aria-hidden className={styles.sign} />
    </Button>
  );
}
