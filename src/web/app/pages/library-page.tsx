import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { useSession } from '#web/api/session.ts';
import { LibraryScreen } from '#web/features/library/library-screen.tsx';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useLocalTakes } from '#web/features/recording/local-takes.ts';
import { localOverviews } from './local-overviews.ts';
import { localTakeActions } from './local-take-actions.ts';

export function LibraryPage() {
  const { status } = useSession();
  const localTakes = useLocalTakes();
  const actions = useRecordingActions(localTakeActions);
  return <LibraryScreen session={status} localTakes={localTakes} overviews={localOverviews} actions={actions} onSignIn={() => requestSignIn()} />;
}
