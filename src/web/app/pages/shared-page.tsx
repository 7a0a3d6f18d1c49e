import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { SharedScreen } from '#web/features/sharing/list/shared-screen.tsx';
import { useReachableSession } from '#web/app/use-reachable-session.ts';

/** The links that the user gave. */
export function SharedPage() {
  const { status, isCutOff } = useReachableSession();
  return <SharedScreen session={status} isCutOff={isCutOff} onSignIn={() => requestSignIn()} />;
}
