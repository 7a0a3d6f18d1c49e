import { useEffect, useState } from 'react';
import { Trans, Plural } from '@lingui/react/macro';
import { useViewerId } from '#web/api/viewer.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';
import { minute, second } from '#base/duration.ts';
import type { Quality } from '#contract/limits.ts';
import { spaceOf } from '#device/takes/storage-estimate.ts';
import { useFreeBytes } from '#web/features/recorder/use-free-bytes.ts';

/** Shown if the browser blocks storage. */
function MemoryNotice({ isFull }: { isFull: boolean }) {
  return isFull ? (
    <Notice
      tone="danger"
      role="alert"
      className={styles.notice}
      title={<Trans>Recording is on hold: this page’s memory is full</Trans>}
    >
      <Trans>
        Everything so far is held in memory. Recording continues as soon as the server has saved some of it.
      </Trans>
    </Notice>
  ) : (
    <Notice
      tone="warn"
      role="alert"
      className={styles.notice}
      title={<Trans>Your browser doesn’t let Earshot save recordings</Trans>}
    >
      <Trans>New audio is held in this page’s memory until it’s on the server. Keep this page open.</Trans>
    </Notice>
  );
}

/** An audio context that starts within this time needs no notice. */
const outputNoticeAfterMs = 2 * second;

/** A recorder delivers its file in pieces of a quarter of a second. */
const soundStoppedAfterMs = 1.5 * second;

/** Whether this much time has passed since `key` last changed. */
function useHasWaited(waitMs: number, key: number): boolean {
  const [passed, setPassed] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(key), waitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [waitMs, key]);
  return passed === key;
}

/**
 * Shown while the audio context has not started, so that nothing is measured. It says that recording continues only
 * while sound arrives: in some browsers an output that is suspended keeps the recorder from getting any.
 */
function OutputPendingNotice({ capturedMs }: { capturedMs: number }) {
  const isLate = useHasWaited(outputNoticeAfterMs, 0);
  const hasStopped = useHasWaited(soundStoppedAfterMs, capturedMs);
  return isLate ? (
    <Notice tone="info" className={styles.notice} title={<Trans>Your sound output hasn’t started yet</Trans>}>
      {capturedMs > 0 && !hasStopped && (
        <Trans>
          Recording continues. The waveform follows. If this page freezes or is force-closed, you may lose a
          few seconds. Keep it open and in front.
        </Trans>
      )}
    </Notice>
  ) : null;
}

/** Shown while the browser's own recorder is used: why, and what it means. */
function OwnRecorderNotice({ take: { recorderReason, progress } }: { take: Take }) {
  if (recorderReason === null) return null;
  if (recorderReason === 'output-pending') return <OutputPendingNotice capturedMs={progress.capturedMs} />;
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      title={<Trans>This browser can’t encode audio for Earshot</Trans>}
    >
      <Trans>
        Its own recorder is used instead. If this page freezes or is force-closed, you may lose a few seconds.
        Keep it open and in front.
      </Trans>
    </Notice>
  );
}

function PrivateWindowNotice() {
  const isSignedIn = useViewerId() !== null;
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      title={<Trans>This window forgets everything when you close it</Trans>}
    >
      {isSignedIn ? (
        <Trans>
          You’re in a private window. Anything not on the server by then is lost. Download the recording
          before you close the window.
        </Trans>
      ) : (
        <Trans>
          You’re in a private window. Anything not on the server by then is lost. Sign in, or download the
          recording before you close the window.
        </Trans>
      )}
    </Notice>
  );
}

interface StorageTargetNoticesProps {
  take: Take;
  /** Whether no sound arrives, which has a notice of its own. */
  isInterrupted: boolean;
}

/** Notices about reduced safety of the recording, and its consequences. */
export function StorageTargetNotices({ take, isInterrupted }: StorageTargetNoticesProps) {
  const ownRecorder = isInterrupted ? null : <OwnRecorderNotice take={take} />;
  if (take.journal === 'memory')
    return (
      <>
        <MemoryNotice isFull={take.storageTarget === 'nowhere'} />
        {ownRecorder}
      </>
    );
  return (
    <>
      {take.storageTarget === 'memory' && (
        <Notice
          tone="danger"
          role="alert"
          className={styles.notice}
          title={<Trans>This device is full</Trans>}
        >
          <Trans>
            New audio is held in memory until it’s on the server. Free up space on this device now, and keep
            this page open.
          </Trans>
        </Notice>
      )}
      {take.storageTarget === 'nowhere' && (
        <Notice
          tone="danger"
          role="alert"
          className={styles.notice}
          title={<Trans>Recording is on hold: this device is full</Trans>}
        >
          <Trans>Everything so far is safe. Free up space on this device and recording continues.</Trans>
        </Notice>
      )}
      {take.journal === 'temporary' && <PrivateWindowNotice />}
      {ownRecorder}
    </>
  );
}

/** Warns during a take that little space is left on this device, more urgently when it is very little. */
export function SpaceNotice({ quality }: { quality: Quality }) {
  const freeBytes = useFreeBytes();
  const space = spaceOf(freeBytes, quality);
  if (space === null || space.urgency === 'enough' || space.urgency === 'some') return null;
  const minutes = Math.floor(space.leftMs / minute);
  return (
    <Notice
      tone={space.urgency === 'almost-none' ? 'danger' : 'warn'}
      {...(space.urgency === 'almost-none' ? { role: 'alert' } : {})}
      className={styles.notice}
      title={
        <Plural
          value={minutes}
          _0="Less than a minute of space left"
          one="Space for about # more minute"
          other="Space for about # more minutes"
        />
      }
    >
      <Trans>This device is nearly full. Free up space. You can keep recording while you do.</Trans>
    </Notice>
  );
}
