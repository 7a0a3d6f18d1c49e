import { Flag, Pause, Play } from 'lucide-react';
import { useLingui } from '@lingui/react/macro';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { isOpen, type TakeState } from '#web/features/recorder/take/take.ts';
import { RecordButton } from './record-button.tsx';
import { SideButton } from './side-button.tsx';
import styles from './controls.module.css';

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
