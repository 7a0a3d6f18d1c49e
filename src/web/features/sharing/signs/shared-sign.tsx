import { Trans } from '@lingui/react/macro';
import { Share2 } from 'lucide-react';
import { useSession } from '#web/api/session.ts';
import { useIsShared } from './use-is-shared.ts';
import styles from './signs.module.css';

/** Marks a recording that others can listen to. Shown only while the server has confirmed it. */
export function SharedSign({ recordingId }: { recordingId: string }) {
  const { status } = useSession();
  const isShared = useIsShared(recordingId, status === 'signed-in');
  return isShared ? (
    <span className={styles.sign}>
      <Share2 aria-hidden />
      <span>
        <Trans comment="A sign beside a recording: others can listen to it by a link">Shared</Trans>
      </span>
    </span>
  ) : null;
}
