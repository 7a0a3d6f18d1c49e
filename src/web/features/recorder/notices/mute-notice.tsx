import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { listenerMuteOf } from '#web/features/recorder/labels/listener-mute.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import styles from './notices.module.css';

/** Shows whether listeners hear what is said now: only what the server has confirmed, else that it has not. */
export function MuteNotice({ take }: { take: Pick<Take, 'passages'> }) {
  const state = listenerMuteOf(take.passages);
  switch (state.status) {
    case 'heard':
      return null;
    case 'starting':
      return (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>Muting for listeners: not confirmed yet</Trans>}
        >
          <Trans>Still being recorded. No more sound is sent until the server confirms it.</Trans>
        </Notice>
      );
    case 'muted': {
      const time = <Timecode ms={state.fromMs} />;
      return (
        <Notice tone="info" className={styles.notice} title={<Trans>Muted for listeners</Trans>}>
          <Trans>
            Still being recorded. Listeners hear silence. They may have what was said before {time}.
          </Trans>
        </Notice>
      );
    }
    case 'ending':
      return (
        <Notice
          tone="warn"
          className={styles.notice}
          title={<Trans>Unmuting for listeners: not confirmed yet</Trans>}
        >
          <Trans>Links stay silent until the server confirms it.</Trans>
        </Notice>
      );
    case 'rejected':
      return (
        <Notice tone="danger" className={styles.notice} title={<Trans>Not muted for listeners</Trans>}>
          <Trans>
            The server didn’t accept this passage. Stop the recording if listeners shouldn’t have it.
          </Trans>
        </Notice>
      );
  }
}
