import { Trans } from '@lingui/react/macro';
import { Radio, Share2 } from 'lucide-react';
import { useSession } from '#web/api/session.ts';
import { useAudience } from '#web/recordings/on-air/use-on-air.ts';
import { useOnAirText } from '#web/recordings/on-air/use-on-air-text.ts';
import { useIsShared } from './use-is-shared.ts';
import styles from './signs.module.css';

export interface SharedSignProps {
  recordingId: string;
  /** How much of the recording there is while it is being made; null if it isn't. */
  growingMs: number | null;
}

/**
 * Marks a recording that others can listen to, or hear while it is being made. Shown only while the server has
 * confirmed it.
 */
export function SharedSign({ recordingId, growingMs }: SharedSignProps) {
  const { status } = useSession();
  const isShared = useIsShared(recordingId, status === 'signed-in');
  const { onAir } = useAudience(growingMs === null ? null : recordingId, growingMs ?? 0);
  const textOf = useOnAirText();
  if (onAir) {
    const { name, who } = textOf(onAir);
    return (
      <span className={styles.sign} data-live>
        <Radio aria-hidden />
        <span>
          {name} · {who}
        </span>
      </span>
    );
  }
  return isShared ? (
    <span className={styles.sign}>
      <Share2 aria-hidden />
      <span>
        <Trans comment="A sign beside a recording: others can listen to it by a link">Shared</Trans>
      </span>
    </span>
  ) : null;
}
