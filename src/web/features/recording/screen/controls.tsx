import { Flag, Pause, Play } from 'lucide-react';
import { Trans } from '@lingui/react/macro';
import { isOpen, type TakeState } from '../take/take.ts';
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
  return (
    <div className={styles.controls}>
      <span>
        {state.status === 'recording' && <SideButton icon={<Pause />} onPress={onPause}><Trans>Pause</Trans></SideButton>}
        {state.status === 'paused' && <SideButton icon={<Play />} onPress={onResume}><Trans>Resume</Trans></SideButton>}
      </span>
      <RecordButton status={state.status} onRecord={onRecord} onStop={onStop} />
      <span>
        {isOpen(state) && <SideButton icon={<Flag />} onPress={onMark}><Trans>Add marker</Trans></SideButton>}
      </span>
    </div>
  );
}
