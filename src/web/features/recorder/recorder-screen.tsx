import { Suspense, useState, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { focusToName, type MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { useSession } from '#web/api/session.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { recorder, useTake } from './recorder.ts';
import { cueBeginning } from './alarms/cues.ts';
import { audioPreferences } from './audio-preferences.ts';
import { MicrophoneSelect } from './audio/audio-choice.tsx';
import { RecoveredNotice, PermissionPanel, TakeLabels, TakeNotices, UnclaimedNotice } from './later.tsx';
import { TakeFoot } from './screen/take-foot.tsx';
import { TakeStage } from './screen/take-stage.tsx';
import { cleanTitle } from './take/clean-title.ts';
import { isOpen, takeOf } from './take/take.ts';
import styles from './screen/screen.module.css';

/** The first screen. `children` stand below the recorder: the newest recordings. */
export function RecorderScreen({ children }: { children?: ReactNode }) {
  const state = useTake();
  const { status: session } = useSession();
  const viewerId = useViewerId();
  const isSignedIn = session === 'signed-in';
  const [draftTitle, setDraftTitle] = useState('');
  const [markerToName, setMarkerToName] = useState<MarkerToName | null>(null);
  const take = takeOf(state);
  const continues = state.status === 'rejected' ? state.continues : undefined;

  const handleRecord = () => {
    setDraftTitle('');
    void cueBeginning(audioPreferences.getSnapshot()).then(() => recorder.start(cleanTitle(draftTitle)));
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
            <PermissionPanel
              reason={state.reason}
              onRetry={
                continues === undefined
                  ? handleRecord
                  : () => {
                      void recorder.goOn(continues);
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
            onDraftTitle={setDraftTitle}
            onRecord={handleRecord}
            onMark={handleMark}
            toName={markerToName}
            onNamed={() => setMarkerToName(null)}
          />
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
