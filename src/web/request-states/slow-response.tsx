import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** Shown in a submitted form that has no response. */
export function SlowResponse() {
  return (
    <Notice tone="info" title={<Trans>The server isn’t responding</Trans>}>
      <Trans>What you typed stays here.</Trans>
    </Notice>
  );
}
