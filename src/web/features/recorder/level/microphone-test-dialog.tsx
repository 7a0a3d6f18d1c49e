import { useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { MicrophoneSelect } from '#web/features/recorder/audio/audio-choice.tsx';
import { MicrophoneTest } from '#web/features/recorder/audio/microphone-test.tsx';

/** The test of the microphone over the recorder; it begins at once. */
export function MicrophoneTestDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen
      title={t`Test microphone`}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <MicrophoneSelect look="field" />
      <MicrophoneTest startsAtOnce />
    </Dialog>
  );
}
