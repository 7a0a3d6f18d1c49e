import { Trans, Plural } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';
import { minute } from '#base/duration.ts';
import type { Quality } from '#contract/limits.ts';
import { spaceOf } from '#device/takes/storage-estimate.ts';
import { useFreeBytes } from '#web/features/recorder/use-free-bytes.ts';

/** The browser refuses its stores. */
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

/** Where this recording is stored less safely than elsewhere, and what that means. */
export function KeepingNotices({ take }: { take: Take }) {
  if (take.journal === 'memory')
    return (
      <>
        <MemoryNotice isFull={take.keeping === 'nowhere'} />
        <SimplerRecorderNotice take={take} />
      </>
    );
  return (
    <>
      {take.keeping === 'memory' && (
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
      {take.keeping === 'nowhere' && (
        <Notice
          tone="danger"
          role="alert"
          className={styles.notice}
          title={<Trans>Recording is on hold: this device is full</Trans>}
        >
          <Trans>Everything so far is safe. Free up space on this device and recording continues.</Trans>
        </Notice>
      )}
      {take.journal === 'database' && (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>This window forgets everything when you close it</Trans>}
        >
          <Trans>
            You’re in a private window. Anything not on the server by then is lost. Sign in, or download the
            recording before you close the window.
          </Trans>
        </Notice>
      )}
      <SimplerRecorderNotice take={take} />
    </>
  );
}

/** During a take: little room is left on this device, said louder when it is very little. */
export function SpaceNotice({ quality }: { quality: Quality }) {
  const freeBytes = useFreeBytes();
  const room = spaceOf(freeBytes, quality);
  if (room === null || room.urgency === 'enough' || room.urgency === 'some') return null;
  const minutes = Math.floor(room.leftMs / minute);
  return (
    <Notice
      tone={room.urgency === 'almost-none' ? 'danger' : 'warn'}
      {...(room.urgency === 'almost-none' ? { role: 'alert' } : {})}
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
