import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';

/** Stands in a form that was sent and has no answer. */
export function SlowResponse() {
  return (
    <Notice tone="info" title={<Trans>The server isn’t responding</Trans>}>
      <Trans>What you typed stays here.</Trans>
    </Notice>
  );
}
