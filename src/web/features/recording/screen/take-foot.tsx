import { Mic, SlidersHorizontal, Trash2 } from 'lucide-react';
import { Suspense } from 'react';
import { Trans } from '@lingui/react/macro';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { UserText } from '#web/ui/text/user-text.tsx';
import { audioPreferences } from '../audio-preferences.ts';
import { MicrophoneTestButton, RoomHint } from '../later.tsx';
import { recorder } from '../recorder.ts';
import { isOpen, isRunning, type Take, type TakeState } from '../take/take.ts';
import { safetyFactOf } from '../take/safety-words.ts';
import { MicrophoneSelect, QualitySelect } from '../audio/audio-choice.tsx';
import { SafetyPill } from '../notices/safety-pill.tsx';
import styles from './screen.module.css';

function Hint({ state, isSignedIn }: TakeFootProps) {
  if (state.status === 'asking') return <Trans>Your browser is asking for the microphone. Choose “Allow” to begin.</Trans>;
  return (
    <>
      {!isSignedIn && <span><Trans>No account is needed. The recording stays on this device until you sign in.</Trans></span>}
      <span><Trans>Your browser asks for the microphone when you press Record. Earshot listens only while the clock runs.</Trans></span>
    </>
  );
}

/** While it can be changed the microphone stands in its own choice; beside it only where another had to take its place. */
function UsedAudio({ take, isChoice }: { take: Take; isChoice: boolean }) {
  const { deviceId, deviceLabel: chosen } = useStore(audioPreferences);
  const isNamed = isChoice && (deviceId === null || chosen === take.deviceLabel);
  return (
    <>
      {take.deviceLabel !== null && !isNamed && <span className={styles.chip}><Mic aria-hidden /><UserText>{take.deviceLabel}</UserText></span>}
      <span className={classes(styles.chip, styles.quality)}><SlidersHorizontal aria-hidden />{take.quality === 'high' ? <Trans>High quality</Trans> : <Trans>Speech quality</Trans>}</span>
    </>
  );
}

export interface TakeFootProps { state: TakeState; isSignedIn: boolean }

/** Under the buttons: what is safe, or why we ask; which microphone, and how well. */
export function TakeFoot({ state, isSignedIn }: TakeFootProps) {
  const fact = safetyFactOf(state);
  return (
    <>
      <div className={styles.safety}>{fact ? <SafetyPill fact={fact} isMicrophoneOpen={state.status === 'recording'} /> : <p className={styles.reason}><Hint state={state} isSignedIn={isSignedIn} /></p>}</div>
      {!isRunning(state) && <Suspense><RoomHint /></Suspense>}
      <div className={classes(styles.chips, state.status === 'stopped' && styles.afterwards)}>
        {isOpen(state) && <MicrophoneSelect look="chip" used={state.take.deviceLabel} />}
        {isRunning(state) ? <UsedAudio take={state.take} isChoice={isOpen(state)} /> : <><MicrophoneSelect look="chip" /><Suspense><MicrophoneTestButton /></Suspense><QualitySelect look="chip" /></>}
        {isOpen(state) && <Button variant="plain" icon={<Trash2 />} onPress={recorder.discard}><Trans>Discard</Trans></Button>}
      </div>
    </>
  );
}
