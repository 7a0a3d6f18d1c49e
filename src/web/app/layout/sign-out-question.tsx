import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import dialog from '#web/ui/overlays/dialog.module.css';
import { signOutAndReport, stopAndSignOut } from './sign-out.ts';

/** The harmless answer has the focus. */
const opening = { autoFocus: true } as const;

/** Asks what a sign-out means for the take that runs in this page. */
export function SignOutQuestion({ onClose }: { onClose: () => void }) {
  const answer = (act: () => Promise<void>) => () => {
    onClose();
    void act();
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
          Either way it stays in your account. If it keeps running, whoever uses this page sees whose
          recording it is and how long it is, and can stop it.
        </Trans>
      </div>
      <div className={dialog.answers}>
        <Button variant="plain" {...opening} onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button data-ends onPress={answer(signOutAndReport)}>
          <Trans>Sign out, keep recording</Trans>
        </Button>
        <Button variant="primary" data-ends onPress={answer(stopAndSignOut)}>
          <Trans>Stop and sign out</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
