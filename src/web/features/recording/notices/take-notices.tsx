import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { isNearlyTooLong } from '../take/take-length.ts';
import { isOpen, takeOf, type Ending, type TakeState } from '../take/take.ts';
import styles from './notices.module.css';

interface EndWords { title: ReactNode; words: (length: string) => ReactNode }

const endWords: Partial<Record<Ending, EndWords>> = {
  'microphone-lost': {
    title: <Trans>The microphone is gone</Trans>,
    words: (length) => <Trans>It was unplugged, or its permission was taken back. Recording ended there, and everything until then is kept: {length}.</Trans>,
  },
  'storage-full': {
    title: <Trans>This device is full</Trans>,
    words: (length) => <Trans>There was no room for more. Everything until then is kept: {length}.</Trans>,
  },
  'longest-take': {
    title: <Trans>The longest possible recording was reached</Trans>,
    words: (length) => <Trans>The recording is complete and kept: {length}.</Trans>,
  },
  internal: {
    title: <Trans>The recorder stopped because of a fault</Trans>,
    words: (length) => <Trans>What was recorded is kept and is being recovered: about {length}.</Trans>,
  },
};

/** What the person should know about how the take goes, or why it ended by itself. */
export function TakeNotices({ state }: { state: TakeState }) {
  const format = useFormat();
  const take = takeOf(state);
  if (!take) return null;
  const length = format.duration(take.progress.capturedMs);
  const ended = state.status === 'stopped' || state.status === 'stopping' ? endWords[state.ending] : undefined;
  return (
    <>
      {ended && <Notice tone={state.status === 'stopped' && state.ending === 'longest-take' ? 'info' : 'warn'} className={styles.notice} title={ended.title}>{ended.words(length)}</Notice>}
      {isOpen(state) && isNearlyTooLong(take.progress.capturedMs) && (
        <Notice tone="warn" className={styles.notice} title={<Trans>This recording is nearly as long as one can be</Trans>}>
          <Trans>At the limit Earshot stops and keeps it. Begin a new one at a good moment before that.</Trans>
        </Notice>
      )}
    </>
  );
}
