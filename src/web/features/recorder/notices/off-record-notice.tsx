import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { offRecordOf } from '#web/features/recorder/labels/off-record.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';

/** Shows whether links give nothing of what is said now: only what the server has confirmed, else that it has not. */
export function OffRecordNotice({ take }: { take: Pick<Take, 'passages'> }) {
  const state = offRecordOf(take.passages);
  switch (state.status) {
    case 'on-record':
      return null;
    case 'starting':
      return (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>Off the record: not confirmed yet</Trans>}
        >
          <Trans>No more sound is sent until the server confirms it.</Trans>
        </Notice>
      );
    case 'off-record': {
      const time = <Timecode ms={state.fromMs} />;
      return (
        <Notice tone="info" className={styles.notice} title={<Trans>Off the record</Trans>}>
          <Trans>
            No link plays anything from {time} on. Listeners may have what was said before. Your recording
            keeps everything.
          </Trans>
        </Notice>
      );
    }
    case 'ending':
      return (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>Back on the record: not confirmed yet</Trans>}
        >
          <Trans>Links stay silent until the server confirms it.</Trans>
        </Notice>
      );
    case 'rejected':
      return (
        <Notice tone="danger" className={styles.notice} title={<Trans>You’re on the record</Trans>}>
          <Trans>
            The server didn’t accept this passage. Stop the recording if listeners shouldn’t have it.
          </Trans>
        </Notice>
      );
  }
}
