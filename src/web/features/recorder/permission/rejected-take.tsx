import { recorder } from '#web/features/recorder/recorder.ts';
import { MicrophoneSelect } from '#web/features/recorder/settings/audio-choice.tsx';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import screen from '#web/features/recorder/screen/screen.module.css';
import { CaptureErrorPanel } from './capture-error-panel.tsx';

/** Says why a take did not start or continue, with another try. */
export function RejectedTake({
  state: { reason, continues },
  onRecord,
}: {
  state: Extract<TakeState, { status: 'rejected' }>;
  onRecord: () => void;
}) {
  return (
    <>
      <CaptureErrorPanel
        reason={reason}
        onRetry={continues === undefined ? onRecord : () => void recorder.continueTake(continues)}
        onLeave={recorder.dismiss}
      />
      {reason === 'microphone-busy' && (
        <div className={screen.chips}>
          <MicrophoneSelect look="chip" />
        </div>
      )}
    </>
  );
}
