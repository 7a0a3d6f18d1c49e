import { LevelBar, NoLevel } from '#web/features/recorder/live/level-meter.tsx';
import { LiveWave, type LiveWaveProps } from '#web/features/recorder/live/live-wave.tsx';
import { SafetyPill } from '#web/features/recorder/notices/safety-pill.tsx';
import { takeRecorder } from '#web/features/recorder/page-recorder.ts';
import { takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import { useBlockReason } from './use-block-reason.ts';
import { interruptionOf, isOpen, takeOf, type TakeState } from '#web/features/recorder/take/take.ts';

/** The waveform of the current take. */
export function TakeWave(props: Omit<LiveWaveProps, 'peaks'>) {
  return <LiveWave peaks={takeRecorder.livePeaks} {...props} />;
}

/** The level of the current take. */
export function TakeLevel({ state }: { state: TakeState }) {
  const isOn = isOpen(state) && interruptionOf(state) === null;
  if (isOn && takeOf(state)?.hasLevel === false) return <NoLevel />;
  return <LevelBar level={takeRecorder.livePeaks.level} isOn={isOn} />;
}

/** Where the bytes of the current take are. */
export function TakeSafetyPill({ state }: { state: TakeState }) {
  const safety = takeSafetyOf(state, useBlockReason(takeOf(state)));
  return safety && <SafetyPill safety={safety} isMicrophoneOpen={state.status === 'recording'} />;
}
