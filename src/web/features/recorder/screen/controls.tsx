import { Flag, Pause, Play } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { isOpen, type TakeState } from '#web/features/recorder/take/take.ts';
import styles from './controls.module.css';
import { useRef, type ReactNode } from 'react';
import { PressButton as Button } from '#web/ui/controls/press-button.tsx';
import { classes } from '#web/ui/classes.ts';

export interface ControlsProps {
  state: TakeState;
  onRecord: () => void;
  onStop: () => void;
  onPause: () => void;
  onResume: () => void;
  onMark: () => void;
}

/** Record and Stop in the middle; while a take runs, Pause on one side and the marker on the other. */
export function Controls({ state, onRecord, onStop, onPause, onResume, onMark }: ControlsProps) {
  const { t } = useLingui();
  const [pauseKey, markKey] = [useKeyLabel('recorder.pause'), useKeyLabel('recorder.mark')];
  const isPaused = state.status === 'paused';
  return (
    <div className={styles.controls}>
      <span>
        {isOpen(state) &&
          (isPaused ? (
            <SideButton icon={<Play />} label={t`Resume`} shortcut={pauseKey} onPress={onResume} />
          ) : (
            <SideButton icon={<Pause />} label={t`Pause`} shortcut={pauseKey} onPress={onPause} />
          ))}
      </span>
      <RecordButton status={state.status} onRecord={onRecord} onStop={onStop} />
      <span>
        {isOpen(state) && (
          <SideButton icon={<Flag />} label={t`Add marker`} shortcut={markKey} onPress={onMark} />
        )}
      </span>
    </div>
  );
}

/** A second press so soon is part of a double click, not a request to stop or start again. */
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

export interface SideButtonProps {
  icon: ReactNode;
  /** The visible word and the accessible name. */
  label: string;
  /** The key that does the same, shown in a tooltip; empty where there is none. */
  shortcut: string;
  onPress: () => void;
}

/** A round button with its word below, beside the Record button. */
export function SideButton({ icon, label, shortcut, onPress }: SideButtonProps) {
  return (
    <Button
      onPress={onPress}
      data-tooltip={shortcut ? `${label} (${shortcut})` : undefined}
      className={classes(styles.side)}
    >
      <span aria-hidden className={styles.round}>
        {icon}
      </span>
      <span className={styles.word}>{label}</span>
    </Button>
  );
}
