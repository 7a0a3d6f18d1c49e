import { Trans } from '@lingui/react/macro';
import { connection, isUnreachable } from '#web/api/reach/connection.ts';
import { useSession, type SessionState } from '#web/api/session.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * The session as the screens see it. Where no server ever said who is here, because none can be reached, there is nothing to wait
 * for: the screens show what this device has, as for somebody signed out.
 */
export function useReachableSession(): { status: SessionState['status']; isCutOff: boolean } {
  const { status } = useSession();
  const isCutOff = isUnreachable(useStore(connection)) && status === 'unknown';
  return { status: isCutOff ? 'signed-out' : status, isCutOff };
}

/** Says why a list is short. */
export function CutOffNotice() {
  return <Notice tone="info"><Trans>Can’t reach the server, so you’re only seeing recordings on this device.</Trans></Notice>;
}
