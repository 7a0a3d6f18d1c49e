import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { recorder } from '#web/features/recorder/recorder.ts';
import { PermissionSteps } from '#web/features/recorder/permission/permission-steps.tsx';
import type { InterruptionCause } from '#web/features/recorder/capture/interruption.ts';
import styles from './notices.module.css';

interface Message {
  title: ReactNode;
  body: ReactNode;
}

const messages: Readonly<Record<InterruptionCause, Message>> = {
  'microphone-lost': {
    title: <Trans>Microphone disconnected</Trans>,
    body: (
      <Trans>
        Recording is on hold. Everything so far is safe. Earshot continues with the next microphone it finds.
        If your browser asks, choose “Allow”.
      </Trans>
    ),
  },
  'permission-withdrawn': {
    title: <Trans>Microphone access withdrawn</Trans>,
    body: (
      <Trans>
        Recording is on hold. Everything so far is safe. Allow the microphone again and recording continues.
      </Trans>
    ),
  },
  interrupted: {
    title: <Trans>No sound from the microphone</Trans>,
    body: (
      <Trans>
        A call or another app may be using the microphone. Everything so far is safe. Recording continues as
        soon as there’s sound.
      </Trans>
    ),
  },
};

/** Why nothing is being recorded, and what happens next or what the user has to do. */
export function InterruptionNotice({ cause, isPaused }: { cause: InterruptionCause; isPaused: boolean }) {
  const { title, body } = messages[cause];
  return (
    <Notice
      tone={isPaused ? 'warn' : 'danger'}
      className={styles.notice}
      title={title}
      action={
        <Button onPress={recorder.tryMicrophone}>
          <Trans>Try now</Trans>
        </Button>
      }
    >
      {body}
      {cause === 'permission-withdrawn' && <PermissionSteps />}
    </Notice>
  );
}
