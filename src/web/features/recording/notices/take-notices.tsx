import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { isNearlyTooLong } from '../take/take-length.ts';
import { interruptionOf } from '../take/interruption.ts';
import { isOpen, takeOf, type Ending, type Take, type TakeState } from '../take/take.ts';
import { AlarmNotices } from './alarm-notices.tsx';
import { GapNotice } from './gap-notice.tsx';
import { InterruptionNotice } from './interruption-notice.tsx';
import { KeepingNotices } from './keeping-notices.tsx';
import { RoomNotice } from './room-notice.tsx';
import styles from './notices.module.css';

interface EndWords { title: ReactNode; words: (length: string) => ReactNode }

const endWords: Partial<Record<Ending, EndWords>> = {
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

function EndNotice({ take, ending, isClosed }: { take: Take; ending: Ending; isClosed: boolean }) {
  const format = useFormat();
  const ended = endWords[ending];
  if (!ended) return null;
  if (ending === 'internal' && take.journal === 'memory') {
    const length = format.duration(take.progress.serverMs);
    return <Notice tone="warn" className={styles.notice} title={ended.title}><Trans>What reached the server is safe: about {length}. The rest was only in this page’s memory.</Trans></Notice>;
  }
  return <Notice tone={isClosed && ending === 'longest-take' ? 'info' : 'warn'} className={styles.notice} title={ended.title}>{ended.words(format.duration(take.progress.capturedMs))}</Notice>;
}

function OpenNotices({ state, take }: { state: TakeState; take: Take }) {
  const cause = interruptionOf(state);
  return (
    <>
      {cause === null ? <GapNotice take={take} /> : <InterruptionNotice cause={cause} isPaused={state.status === 'paused'} />}
      <AlarmNotices take={take} />
      {take.journal !== 'memory' && <RoomNotice quality={take.quality} />}
      <KeepingNotices take={take} />
      {isNearlyTooLong(take.progress.capturedMs) && (
        <Notice tone="warn" className={styles.notice} title={<Trans>This recording is nearly as long as one can be</Trans>}>
          <Trans>At the limit Earshot stops and keeps it. Begin a new one at a good moment before that.</Trans>
        </Notice>
      )}
    </>
  );
}

/** What the person should know about how the take goes, or why it ended by itself. */
export function TakeNotices({ state }: { state: TakeState }) {
  const take = takeOf(state);
  if (!take) return null;
  if (isOpen(state)) return <OpenNotices state={state} take={take} />;
  return 'ending' in state ? <EndNotice take={take} ending={state.ending} isClosed={state.status === 'stopped'} /> : null;
}
