import { useLingui } from '@lingui/react/macro';
import { useShortcuts } from '#web/ui/hooks/use-shortcuts.ts';
import { LevelMeter } from '../live/level-meter.tsx';
import { LiveWave } from '../live/live-wave.tsx';
import { recorder } from '../recorder.ts';
import { isOpen, takeOf, type TakeState } from '../take/take.ts';
import { Controls } from './controls.tsx';
import { TakeTime } from './take-time.tsx';
import { TitleField } from './title-field.tsx';

export interface TakeStageProps {
  state: TakeState;
  /** The title for the next take, while there is none. */
  draftTitle: string;
  onDraftTitle: (title: string) => void;
  onRecord: () => void;
}

/** Title, clock, wave and the buttons: they stand in the same place before, during and after a take. */
export function TakeStage({ state, draftTitle, onDraftTitle, onRecord }: TakeStageProps) {
  const { t } = useLingui();
  const take = takeOf(state);
  const isLive = state.status === 'recording';

  const handleTitle = (title: string | null) => {
    if (!take) onDraftTitle(title ?? '');
    else if (title !== null) recorder.rename(title);
  };
  const handleMark = () => { recorder.addMarker(); };

  useShortcuts({
    r: take === null || state.status === 'stopped' ? onRecord : undefined,
    p: state.status === 'paused' ? recorder.resume : recorder.pause,
    m: isOpen(state) ? handleMark : undefined,
  });

  return (
    <>
      <TitleField value={take?.title ?? draftTitle} placeholder={t`Name this recording`} onCommit={handleTitle} />
      <TakeTime isResting={!isLive} />
      <LiveWave peaks={recorder.livePeaks} isLive={isLive} {...(take ? { markers: take.markers } : {})} />
      <LevelMeter level={recorder.livePeaks.level} isOn={isOpen(state)} />
      <Controls state={state} onRecord={onRecord} onStop={recorder.stop} onPause={recorder.pause} onResume={recorder.resume} onMark={handleMark} />
    </>
  );
}
