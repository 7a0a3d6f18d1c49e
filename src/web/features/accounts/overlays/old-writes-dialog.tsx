import { Plural, Trans } from '@lingui/react/macro';
import type { OldWritesQuestion } from '#web/api/old-writes-prompt.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import styles from './overlays.module.css';

/**
 * Asks whether changes that waited for long should still be made. Closing the dialog discards them, so that
 * nothing unwanted happens.
 */
export function OldWritesDialog({ question }: { question: OldWritesQuestion }) {
  const { writes, answer } = question;
  return (
    <Dialog
      title={<Trans>Still want to do this?</Trans>}
      size="s"
      role="alertdialog"
      isOpen
      onOpenChange={() => answer(false)}
    >
      <div className={styles.question}>
        <p>
          <Plural
            value={writes}
            one="# change has been waiting for you to sign in for more than two minutes. Make it now?"
            other="# changes have been waiting for you to sign in for more than two minutes. Make them now?"
          />
        </p>
        <div className={styles.actions}>
          <Button variant="plain" onPress={() => answer(false)}>
            <Trans>Discard changes</Trans>
          </Button>
          <Button variant="primary" onPress={() => answer(true)}>
            <Trans>Make changes</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
