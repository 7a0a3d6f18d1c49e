import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';

export interface DamageNoticeProps {
  /** This device keeps a copy of the recording. */
  hasCopyHere: boolean;
  className?: string | undefined;
}

/** Says plainly that what the server stores has changed, and what can be done. */
export function DamageNotice({ hasCopyHere, className }: DamageNoticeProps) {
  return (
    <Notice tone="danger" role="note" className={className} title={<Trans>Part of this recording is damaged on the server.</Trans>}>
      <Trans>What is stored there no longer matches its receipt. Whoever runs the server can put it right from a backup.</Trans>{' '}
      {hasCopyHere
        ? <Trans>This device still has a copy: save it as a file in the settings, under what is kept on this device.</Trans>
        : <Trans>The device that recorded it may still have it.</Trans>}
    </Notice>
  );
}
