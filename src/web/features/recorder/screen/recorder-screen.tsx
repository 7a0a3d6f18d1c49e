import { Suspense, useState, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { focusToName, type MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { useSession } from '#web/api/session.ts';
import { userScope } from '#web/api/user-scope.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { recorder, useTake } from '#web/features/recorder/recorder.ts';
import {
  cueStart,
  RecoveredNotice,
  CaptureErrorPanel,
  TakeLabels,
  TakeNotices,
  UnclaimedNotice,
} from '#web/features/recorder/lazy-parts.tsx';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { MicrophoneSelect } from '#web/features/recorder/settings/audio-choice.tsx';
import { Controls } from './controls.tsx';
import { TakeFoot } from './take-foot.tsx';
import { TakeStage } from './take-stage.tsx';
import { cleanTitle } from '#web/features/recorder/take/clean-title.ts';
import { isOpen, takeOf, type TakeState } from '#web/features/recorder/take/take.ts';
import styles from './screen.module.css';

/** The title for the next take. */
const draftTitleStore = userScope.createStore('');

/** The first screen. `children` are shown below the recorder: the newest recordings. */
export function RecorderScreen({ children }: { children?: ReactNode }) {
  const state = useTake();
  const { status: session } = useSession();
  const viewerId = useViewerId();
  const isSignedIn = session === 'signed-in';
  const draftTitle = useStore(draftTitleStore);
  const [markerToName, setMarkerToName] = useState<MarkerToName | null>(null);
  const take = takeOf(state);
  const continues = state.status === 'rejected' ? state.continues : undefined;

  const handleRecord = () => {
    draftTitleStore.set('');
    void cueStart(audioPreferences.getSnapshot()).then(() => recorder.start(cleanTitle(draftTitle)));
  };

  const handleMark = (by: 'key' | 'press') => {
    const markerId = recorder.addMarker();
    setMarkerToName(markerId === null ? null : focusToName(markerId, by));
  };

  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1} className={styles.heading}>
        <Trans>Record</Trans>
      </h1>
      {state.status === 'rejected' ? (
        <>
          <Suspense>
            <CaptureErrorPanel
              reason={state.reason}
              onRetry={
                continues === undefined
                  ? handleRecord
                  : () => {
                      void recorder.continueTake(continues);
                    }
              }
              onLeave={recorder.dismiss}
            />
          </Suspense>
          {state.reason === 'microphone-busy' && (
            <div className={styles.chips}>
              <MicrophoneSelect look="chip" />
            </div>
          )}
        </>
      ) : (
        <>
          <TakeStage
            state={state}
            userId={viewerId}
            draftTitle={draftTitle}
            onDraftTitle={draftTitleStore.set}
            onRecord={handleRecord}
            toName={markerToName}
            onNamed={() => setMarkerToName(null)}
          />
          <TakeControls state={state} onRecord={handleRecord} onMark={handleMark} />
          <TakeFoot state={state} session={session} />
          {take && (
            <Suspense>
              <TakeNotices key={take.id} state={state} />
            </Suspense>
          )}
        </>
      )}
      <Suspense>
        <RecoveredNotice />
        {isSignedIn && !isOpen(state) && <UnclaimedNotice />}
        {take && <TakeLabels take={take} isEditable={isOpen(state)} toName={markerToName} />}
      </Suspense>
      {children !== undefined && <div className={styles.below}>{children}</div>}
    </div>
  );
}

interface TakeControlsProps {
  state: TakeState;
  onRecord: () => void;
  onMark: (by: 'key' | 'press') => void;
}

/** The buttons of the recorder and their keys. */
function TakeControls({ state, onRecord, onMark }: TakeControlsProps) {
  useShortcuts({
    'recorder.record': takeOf(state) === null || state.status === 'stopped' ? onRecord : undefined,
    'recorder.pause': state.status === 'paused' ? recorder.resume : recorder.pause,
    'recorder.stop': isOpen(state) ? recorder.stop : undefined,
    'recorder.mark': isOpen(state) ? () => onMark('key') : undefined,
  });
  return (
    <Controls
      state={state}
      onRecord={onRecord}
      onStop={recorder.stop}
      onPause={recorder.pause}
      onResume={recorder.resume}
      onMark={() => onMark('press')}
    />
  );
}
