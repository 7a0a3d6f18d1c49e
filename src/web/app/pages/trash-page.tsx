import { useSession } from '#web/api/session.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useTrashedLocalTakes } from '#web/features/recording/local-takes.ts';
import { TrashScreen } from '#web/features/trash/trash-screen.tsx';
import { localTakeActions } from './local-take-actions.ts';

export function TrashPage() {
  const { status } = useSession();
  const actions = useRecordingActions(localTakeActions);
  const localTrash = useTrashedLocalTakes().map(({ id, title, startedAtMs, durationMs, deletedAtMs }) => ({ id, title, startedAtMs, durationMs, deletedAtMs: deletedAtMs ?? startedAtMs }));
  return <TrashScreen session={status} localTrash={localTrash} onRestore={actions.restore} onDeleteForGood={actions.deleteForGood} />;
}
