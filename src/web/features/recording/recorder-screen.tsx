import { useState, type ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { useSession } from '#web/api/session.ts';
import { recorder, useTake } from './recorder.ts';
import { MicrophoneSelect } from './audio/audio-choice.tsx';
import { MarkerList } from './screen/marker-list.tsx';
import { RecoveredNotice } from './notices/recovered-notice.tsx';
import { RefusedPanel } from './refused/refused-panel.tsx';
import { ResultCard } from './screen/result-card.tsx';
import { TakeFoot } from './screen/take-foot.tsx';
import { TakeNotices } from './notices/take-notices.tsx';
import { TakeStage } from './screen/take-stage.tsx';
import { cleanTitle } from './take/default-title.ts';
import { isOpen, takeOf } from './take/take.ts';
import styles from './screen/screen.module.css';

/** The first screen. `children` stand below the recorder: the newest recordings. */
export function RecorderScreen({ children }: { children?: ReactNode }) {
  const state = useTake();
  const isSignedIn = useSession().status === 'signed-in';
  const [draftTitle, setDraftTitle] = useState('');
  const take = takeOf(state);

  const handleRecord = () => {
    setDraftTitle('');
    void recorder.start(cleanTitle(draftTitle));
  };

  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1} className={styles.heading}><Trans>Record</Trans></h1>
      {state.status === 'refused' ? (
        <>
          <RefusedPanel reason={state.reason} onRetry={handleRecord} onLeave={recorder.dismiss} />
          {state.reason === 'microphone-busy' && <div className={styles.chips}><MicrophoneSelect look="chip" /></div>}
        </>
      ) : (
        <>
          <TakeStage state={state} draftTitle={draftTitle} onDraftTitle={setDraftTitle} onRecord={handleRecord} />
          <TakeFoot state={state} isSignedIn={isSignedIn} />
          <TakeNotices state={state} />
        </>
      )}
      <RecoveredNotice />
      {state.status === 'stopped' && <ResultCard take={state.take} isSignedIn={isSignedIn} onRecordAnother={handleRecord} />}
      {take && <MarkerList markers={take.markers} isEditable={isOpen(state)} onRename={recorder.renameMarker} onRemove={recorder.removeMarker} />}
      {children !== undefined && <div className={styles.below}>{children}</div>}
    </div>
  );
}
