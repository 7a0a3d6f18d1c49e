import { Trans, Plural } from '@lingui/react/macro';
import { useViewerId } from '#web/api/viewer.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';
import { minute } from '#base/duration.ts';
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

function SimplerRecorderNotice({ take }: { take: Take }) {
  if (take.sourceKind !== 'media-recorder') return null;
  return (
    <Notice
      tone="warn"
      className={styles.notice}
      title={<Trans>This browser can only record in a simpler way</Trans>}
    >
      <Trans>
        If this page freezes or is force-closed, you may lose a few seconds. Keep it open and in front.
        Current versions of Chrome, Edge, Firefox and Safari save every second.
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

/** Notices about reduced safety of the recording, and its consequences. */
export function StorageTargetNotices({ take }: { take: Take }) {
  if (take.journal === 'memory')
    return (
      <>
        <MemoryNotice isFull={take.storageTarget === 'nowhere'} />
        <SimplerRecorderNotice take={take} />
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
      {take.journal === 'database' && <PrivateWindowNotice />}
      <SimplerRecorderNotice take={take} />
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
