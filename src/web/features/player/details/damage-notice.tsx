import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';

export interface DamageNoticeProps {
  /** Whether this device still stores a copy of the recording. */
  hasCopyHere: boolean;
  className?: string | undefined;
}

/** Warns that the stored audio no longer matches its receipt, and says how to recover it. */
export function DamageNotice({ hasCopyHere, className }: DamageNoticeProps) {
  return (
    <Notice
      tone="danger"
      role="note"
      className={className}
      title={<Trans>Part of this recording is damaged on the server</Trans>}
    >
      <Trans>
        The stored audio no longer matches its receipt. The person who runs this server can restore it from a
        backup.
      </Trans>{' '}
      {hasCopyHere ? (
        <Trans>{'This device still has a copy. Save it as a file under Settings > Storage.'}</Trans>
      ) : (
        <Trans>The device it was recorded on may still have a copy.</Trans>
      )}
    </Notice>
  );
}
