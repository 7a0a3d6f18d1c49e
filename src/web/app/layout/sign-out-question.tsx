import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import dialog from '#web/ui/overlays/dialog.module.css';

/** The harmless answer has the focus. */
const opening = { autoFocus: true } as const;

export interface SignOutQuestionProps {
  onSignOut: () => void;
  onStopAndSignOut: () => void;
  onClose: () => void;
}

/** Asks what a sign-out means for the take that runs in this page. */
export function SignOutQuestion({ onSignOut, onStopAndSignOut, onClose }: SignOutQuestionProps) {
  const answer = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog
      role="alertdialog"
      size="s"
      title={<Trans>A recording is running</Trans>}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <div>
        <Trans>
          If you keep recording, the recording stays on this device and uploads when you sign in again. Anyone
          who uses this page sees its account and length, and can stop it.
        </Trans>
      </div>
      <div className={dialog.answers}>
        <Button variant="plain" {...opening} onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button data-ends onPress={answer(onSignOut)}>
          <Trans>Sign out, keep recording</Trans>
        </Button>
        <Button variant="primary" data-ends onPress={answer(onStopAndSignOut)}>
          <Trans>Stop and sign out</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
