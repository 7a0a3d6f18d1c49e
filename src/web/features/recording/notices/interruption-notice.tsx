import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { recorder } from '../recorder.ts';
import { PermissionSteps } from '../refused/permission-steps.tsx';
import type { InterruptionCause } from '../take/take.ts';
import styles from './notices.module.css';

interface Words { title: ReactNode; body: ReactNode }

const words: Readonly<Record<InterruptionCause, Words>> = {
  'microphone-lost': {
    title: <Trans>The microphone is gone</Trans>,
    body: <Trans>Nothing is recorded right now; everything until then is kept. Earshot goes on by itself with the next microphone it finds. If your browser asks, choose “Allow”.</Trans>,
  },
  'permission-withdrawn': {
    title: <Trans>The microphone is no longer allowed</Trans>,
    body: <Trans>Nothing is recorded right now; everything until then is kept. Allow the microphone again, and the recording goes on by itself.</Trans>,
  },
  interrupted: {
    title: <Trans>No sound comes from the microphone</Trans>,
    body: <Trans>A call or another program may be holding it. Everything until then is kept, and Earshot goes on by itself as soon as sound comes.</Trans>,
  },
};

/** Why nothing is recorded at the moment, and what happens or is to be done next. */
export function InterruptionNotice({ cause, isPaused }: { cause: InterruptionCause; isPaused: boolean }) {
  const { title, body } = words[cause];
  return (
    <Notice tone={isPaused ? 'warn' : 'danger'} className={styles.notice} title={title} action={<Button onPress={recorder.tryMicrophone}><Trans>Try now</Trans></Button>}>
      {body}
      {cause === 'permission-withdrawn' && <PermissionSteps />}
    </Notice>
  );
}
