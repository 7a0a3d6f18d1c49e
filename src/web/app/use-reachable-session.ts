import { cutOff } from '#web/api/connection/cut-off.ts';
import { useSession, type SessionState } from '#web/api/session.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/**
 * The session as the screens see it. While the session is unknown and the server unreachable or silent, the
 * screens show what this device has.
 */
export function useReachableSession(): { status: SessionState['status']; isCutOff: boolean } {
  const { status } = useSession();
  const isCutOff = useStore(cutOff) && status === 'unknown';
  return { status: isCutOff ? 'signed-out' : status, isCutOff };
}
