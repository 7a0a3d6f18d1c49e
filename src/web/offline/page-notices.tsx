import { useEffect, useEffectEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { announce } from '#web/ui/feedback/announce.ts';
import { PageUnreachableNotice } from '#web/request-states/unreachable-notice.tsx';
import { GateNotice, type GateNoticeProps } from './gate-notice.tsx';

/**
 * The notices above every page while the server can't be reached. Its return is only announced, and not during a
 * recording.
 */
export function PageNotices(props: GateNoticeProps) {
  const { t } = useLingui();
  const announceReturn = useEffectEvent(() => {
    if (!props.isRecording) announce(t`The server can be reached again`);
  });
  useEffect(
    () =>
      onReachableAgain(() => {
        announceReturn();
      }),
    [],
  );
  return (
    <>
      <GateNotice {...props} />
      <PageUnreachableNotice />
    </>
  );
}
