import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import type { Take } from '../take/take.ts';
import styles from './notices.module.css';

/** The browser refuses its stores. */
function MemoryNotice({ isFull }: { isFull: boolean }) {
  return isFull ? (
    <Notice tone="danger" role="alert" className={styles.notice} title={<Trans>Nothing is being recorded: this page’s memory is full</Trans>}>
      <Trans>Everything until now is held. Recording continues by itself as soon as the server has taken some of it.</Trans>
    </Notice>
  ) : (
    <Notice tone="warn" role="alert" className={styles.notice} title={<Trans>This browser does not let Earshot store recordings</Trans>}>
      <Trans>New sound is held in this page’s memory until it is on the server. Keep this page open.</Trans>
    </Notice>
  );
}

function SimplerRecorderNotice({ take }: { take: Take }) {
  if (take.sourceKind !== 'media-recorder') return null;
  return (
    <Notice tone="warn" className={styles.notice} title={<Trans>This browser records in a simpler way</Trans>}>
      <Trans>If this page hangs or is closed by force, a few seconds may be lost. Keep it open and in front. A current Chrome, Edge, Firefox or Safari keeps every second.</Trans>
    </Notice>
  );
}

/** Where this recording is stored less safely than elsewhere, and what that means. */
export function KeepingNotices({ take }: { take: Take }) {
  if (take.journal === 'memory') return <><MemoryNotice isFull={take.keeping === 'nowhere'} /><SimplerRecorderNotice take={take} /></>;
  return (
    <>
      {take.keeping === 'memory' && (
        <Notice tone="danger" role="alert" className={styles.notice} title={<Trans>This device is full</Trans>}>
          <Trans>New sound is kept in memory until it is on the server. Free some space on this device now, and keep this page open.</Trans>
        </Notice>
      )}
      {take.keeping === 'nowhere' && (
        <Notice tone="danger" role="alert" className={styles.notice} title={<Trans>Nothing is being recorded: this device is full</Trans>}>
          <Trans>Everything until now is kept. Free some space on this device: recording goes on by itself as soon as there is room.</Trans>
        </Notice>
      )}
      {take.journal === 'database' && (
        <Notice tone="warn" className={styles.notice} title={<Trans>This window forgets everything when it is closed</Trans>}>
          <Trans>It is a private window. A recording that is not on the server by then is gone with it: sign in, or download it before you close the window.</Trans>
        </Notice>
      )}
      <SimplerRecorderNotice take={take} />
    </>
  );
}
