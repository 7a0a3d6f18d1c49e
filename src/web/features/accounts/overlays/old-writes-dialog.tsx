import { Plural, Trans } from '@lingui/react/macro';
import type { OldWritesQuestion } from '#web/api/prompts/old-writes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import styles from './overlays.module.css';

/** What waited for long may no longer be meant. Closing it is a no: nothing happens that was not wished. */
export function OldWritesDialog({ question }: { question: OldWritesQuestion }) {
  const { writes, answer } = question;
  return (
    <Dialog title={<Trans>Still do this?</Trans>} size="s" role="alertdialog" isOpen onOpenChange={() => answer(false)}>
      <div className={styles.question}>
        <p><Plural value={writes} one="# change has waited for your sign-in for more than two minutes. Should it be made now?" other="# changes have waited for your sign-in for more than two minutes. Should they be made now?" /></p>
        <div className={styles.actions}>
          <Button variant="plain" onPress={() => answer(false)}><Trans>Leave it</Trans></Button>
          <Button variant="primary" onPress={() => answer(true)}><Trans>Do it now</Trans></Button>
        </div>
      </div>
    </Dialog>
  );
}
