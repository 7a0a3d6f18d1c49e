import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useFormat } from '#web/i18n/use-format.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { isNearlyTooLong } from '#web/features/recorder/take/take-length.ts';
import {
  interruptionOf,
  isOpen,
  takeOf,
  type Ending,
  type Take,
  type TakeState,
} from '#web/features/recorder/take/take.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { RestoreButton } from './restore-button.tsx';
import { AlarmNotices } from './alarm-notices.tsx';
import { GapNotice } from './gap-notice.tsx';
import { InterruptionNotice } from './interruption-notice.tsx';
import { StorageTargetNotices, SpaceNotice } from './storage-notices.tsx';
import styles from './notices.module.css';

interface EndMessage {
  title: ReactNode;
  message: (length: string) => ReactNode;
}

const endMessages: Partial<Record<Ending, EndMessage>> = {
  'storage-full': {
    title: <Trans>This device is full</Trans>,
    message: (length) => (
      <Trans>This device ran out of space. Everything up to that moment is safe: {length}.</Trans>
    ),
  },
  'longest-take': {
    title: <Trans>Maximum length reached</Trans>,
    message: (length) => <Trans>Your recording is complete and safe: {length}.</Trans>,
  },
  internal: {
    title: <Trans>Recording stopped because of an error</Trans>,
    message: (length) => <Trans>Everything recorded so far is being recovered: about {length}.</Trans>,
  },
};

function EndNotice({ take, ending, isClosed }: { take: Take; ending: Ending; isClosed: boolean }) {
  const format = useFormat();
  const ended = endMessages[ending];
  if (!ended) return null;
  if (ending === 'internal' && take.journal === 'memory') {
    const length = format.duration(take.progress.serverMs);
    return (
      <Notice tone="warn" className={styles.notice} title={ended.title}>
        <Trans>
          Everything that reached the server is safe: about {length}. The rest was only in this page’s memory.
        </Trans>
      </Notice>
    );
  }
  return (
    <Notice
      tone={isClosed && ending === 'longest-take' ? 'info' : 'warn'}
      className={styles.notice}
      title={ended.title}
    >
      {ended.message(format.duration(take.progress.capturedMs))}
    </Notice>
  );
}

/** The running take was moved to the trash, here or on another device. It is recorded until it is stopped. */
function TrashedNotice({ takeId }: { takeId: string }) {
  const { takes } = useStore(deviceTakes);
  const isTrashed = takes.some(({ id, deletedAtMs }) => id === takeId && deletedAtMs !== null);
  return isTrashed ? (
    <Notice tone="warn" className={styles.notice} action={<RestoreButton takeId={takeId} />}>
      <Trans>This recording is in the trash. You can restore it.</Trans>
    </Notice>
  ) : null;
}

function OpenNotices({ state, take }: { state: TakeState; take: Take }) {
  const cause = interruptionOf(state);
  return (
    <>
      <TrashedNotice takeId={take.id} />
      {cause === null ? (
        <GapNotice take={take} isPaused={state.status === 'paused'} />
      ) : (
        <InterruptionNotice cause={cause} isPaused={state.status === 'paused'} />
      )}
      <AlarmNotices take={take} />
      {take.journal !== 'memory' && <SpaceNotice quality={take.quality} />}
      <StorageTargetNotices take={take} isInterrupted={cause !== null} />
      {isNearlyTooLong(take.progress.capturedMs) && (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>This recording is close to the maximum length</Trans>}
        >
          <Trans>
            Earshot will stop and save it at the limit. Start a new recording at a good moment before that.
          </Trans>
        </Notice>
      )}
    </>
  );
}

/** Notices about a running take, or about why it ended without a press of Stop. */
export function TakeNotices({ state }: { state: TakeState }) {
  const take = takeOf(state);
  if (!take) return null;
  if (isOpen(state)) return <OpenNotices state={state} take={take} />;
  return 'ending' in state ? (
    <EndNotice take={take} ending={state.ending} isClosed={state.status === 'stopped'} />
  ) : null;
}
