import { useState } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { Mic } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import {
  continueForListeners,
  continueMuted,
  continueQuestion,
  continueWithoutListeners,
} from './continue-question.ts';
import styles from './continue-dialog.module.css';

/** The safe answer has the focus. */
const opening = { autoFocus: true } as const;

/** Asks whether the listeners of a shared recording hear what is added to it. The safe answer comes first. */
export function ContinueDialog() {
  const question = useStore(continueQuestion);
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  if (question === null) return null;
  const { take, links } = question;
  const time = <Timecode ms={take.lengthMs} />;
  const close = () => {
    setFailed(false);
    continueQuestion.set(null);
  };
  const bound = async () => {
    setPending(true);
    setFailed(false);
    await continueWithoutListeners(question).catch(() => setFailed(true));
    setPending(false);
  };
  return (
    <Dialog
      size="s"
      isOpen
      title={<Trans>Let listeners hear the new part?</Trans>}
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <div className={styles.content}>
        <p>
          <Plural
            value={links.length}
            one="This recording is shared with # link."
            other="This recording is shared with # links."
          />
        </p>
        {hasFailed && (
          <Notice tone="warn" role="alert">
            <Trans>Couldn’t change the links. Nothing is being recorded yet.</Trans>
          </Notice>
        )}
        <div className={styles.answers}>
          <Button
            variant="primary"
            icon={<Mic aria-hidden />}
            {...opening}
            isPending={isPending}
            onPress={() => void bound()}
          >
            <Trans>Only up to {time}</Trans>
          </Button>
          {hasFailed && (
            <Button onPress={() => void continueMuted(question)}>
              <Trans>Continue, muted for listeners</Trans>
            </Button>
          )}
          <Button onPress={() => void continueForListeners(question)}>
            <Trans>Also the new part</Trans>
          </Button>
          <Button variant="plain" onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
