import { requestSignIn } from '#web/api/sign-in-prompt.ts';
import { ImportButton } from '#web/features/imports/screen/import-button.tsx';
import { LibraryScreen } from '#web/features/library/screen/library-screen.tsx';
import { prefetchRecordings } from '#web/features/library/screen/use-recordings.ts';
import { wholeLibrary } from '#web/features/library/view/library-view.ts';
import { SharedLink } from '#web/features/sharing/signs/shared-link.tsx';
import { useBulkActions } from '#web/features/library/actions/use-bulk-actions.ts';
import { useRecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { UnclaimedNotice } from '#web/features/recorder/lazy-parts.tsx';
import { useReachableSession } from '#web/app/use-reachable-session.ts';
import { rowPlayback } from './row-playback.ts';
import { rowSharing } from './row-sharing.ts';
import { localOverviews } from './local-overviews.ts';
import { LazyOtherTabNotice } from './other-tab-notice.tsx';
import { localTakeActions } from './local-take-actions.ts';

/** Loads the data that the page shows first, before it renders. */
export const prepareLibrary = (): Promise<void> => prefetchRecordings(wholeLibrary);

export function LibraryPage() {
  const { status } = useReachableSession();
  const localTakes = useDeviceTakes();
  const actions = useRecordingActions(localTakeActions);
  const bulk = useBulkActions(localTakeActions);
  return (
    <LibraryScreen
      session={status}
      localTakes={localTakes}
      overviews={localOverviews}
      question={
        <>
          <LazyOtherTabNotice />
          <UnclaimedNotice />
        </>
      }
      actions={actions}
      bulk={bulk}
      headerActions={
        <>
          <SharedLink />
          <ImportButton />
        </>
      }
      playback={rowPlayback}
      sharing={rowSharing}
      onSignIn={() => requestSignIn()}
    />
  );
}
