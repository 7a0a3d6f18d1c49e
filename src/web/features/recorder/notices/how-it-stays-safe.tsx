import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import styles from './notices.module.css';

/** A short introduction: what happens to a recording, and what the states on the screen mean. */
export function HowItStaysSafe({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      isOpen
      title={t`How your recording stays safe`}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <div className={styles.paragraphs}>
        <p>
          <Trans>
            While you speak, Earshot writes the sound to this device several times a second. Nothing waits
            until you press Stop.
          </Trans>
        </p>
        <p>
          <Trans>
            If the tab closes, the browser crashes or the power fails, open Earshot again. Everything up to
            that moment is there, and you can continue.
          </Trans>
        </p>
        <p>
          <Trans>
            When you’re signed in, the recording is also sent to the server while you speak. Without a
            connection it waits on this device and is sent later.
          </Trans>
        </p>
        <p>
          <Trans>
            If sound is ever missing, Earshot shows where, for how long and why. Everything before and after
            keeps its exact time.
          </Trans>
        </p>
        <p>
          <Trans>“Saved on the server” appears only after the server has confirmed every byte.</Trans>
        </p>
      </div>
    </Dialog>
  );
}
