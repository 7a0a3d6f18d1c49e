import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { ImportButton } from '#web/features/importing/import-button.tsx';
import { LibraryScreen, type LibraryScreenProps } from '#web/features/library/library-screen.tsx';
import { prefetchRecordings } from '#web/features/library/data/use-recordings.ts';
import { wholeLibrary } from '#web/features/library/view/library-view.ts';
import { useBulkActions } from '#web/features/library/actions/use-bulk-actions.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useLocalTakes } from '#web/features/recording/local-takes.ts';
import { titleText } from '#web/recorded-time/title-text.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { UnclaimedNotice } from '#web/features/recording/later.tsx';
import { useReachableSession } from '../cut-off.tsx';
import { localOverviews } from './local-overviews.ts';
import { localTakeActions } from './local-take-actions.ts';

/** The queue comes with the player, not with the list. */
const queueRecording: LibraryScreenProps['onQueue'] = (row, place) => {
  void import('#web/features/playback/queue/queue-player.ts').then(({ enqueue }) => enqueue({ id: row.id, title: titleText(row), durationMs: row.durationMs }, place)).catch(() => { showFailure(i18n._(msg`Something went wrong. Try again.`)); });
};

/** Has at hand what the page shows first, before it is drawn. */
export const prepareLibrary = (): Promise<void> => prefetchRecordings(wholeLibrary);

export function LibraryPage() {
  const { status } = useReachableSession();
  const localTakes = useLocalTakes();
  const actions = useRecordingActions(localTakeActions);
  const bulk = useBulkActions(localTakeActions);
  return <LibraryScreen session={status} localTakes={localTakes} overviews={localOverviews} question={<UnclaimedNotice />} actions={actions} bulk={bulk} importButton={<ImportButton />} onQueue={queueRecording} onSignIn={() => requestSignIn()} />;
}
