import { Trans } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from './audio-preferences.ts';
import { useTake } from './recorder.ts';
import { MicrophoneSelect, QualitySelect } from './audio/audio-choice.tsx';
import { MarkerBackSelect } from './audio/marker-back-select.tsx';
import { MicrophoneTest } from './audio/microphone-test.tsx';
import { RoomForecast } from './audio/room-forecast.tsx';
import { TroubleSwitch } from './audio/trouble-switch.tsx';
import { isRunning } from './take/take.ts';
import styles from './audio/settings.module.css';

/** How this device records: microphone, quality, what the browser may do to the sound, and a look at the level. */
export function AudioSettings() {
  const preferences = useStore(audioPreferences);
  const isRecording = isRunning(useTake());
  return (
    <div className={styles.settings}>
      <div className={styles.fields}>
        <MicrophoneSelect look="field" />
        <QualitySelect look="field" />
        <MarkerBackSelect />
      </div>
      <RoomForecast quality={preferences.quality} />
      {!isRecording && <MicrophoneTest key={preferences.deviceId} />}
      <div className={styles.switches}>
        <Switch isSelected={preferences.noiseSuppression} onChange={(noiseSuppression) => { audioPreferences.change({ noiseSuppression }); }} description={<Trans>Takes out the noise of fans and traffic. Switch it off for music and quiet surroundings.</Trans>}><Trans>Reduce noise</Trans></Switch>
        <Switch isSelected={preferences.echoCancellation} onChange={(echoCancellation) => { audioPreferences.change({ echoCancellation }); }} description={<Trans>Keeps the loudspeaker of this device out of the recording.</Trans>}><Trans>Cancel echo</Trans></Switch>
        <Switch isSelected={preferences.autoGainControl} onChange={(autoGainControl) => { audioPreferences.change({ autoGainControl }); }} description={<Trans>Makes near and far voices equally loud.</Trans>}><Trans>Even out loudness</Trans></Switch>
        <Switch isSelected={preferences.cues} onChange={(cues) => { audioPreferences.change({ cues }); }} description={<Trans>A soft sound before the microphone listens and after it has stopped. It is never part of the recording.</Trans>}><Trans>Sound at start and stop</Trans></Switch>
        <TroubleSwitch />
      </div>
      <p className={styles.note}>
        {isRecording ? <Trans>A recording is running. Another microphone is used at once, everything else from the next recording on.</Trans> : <Trans>These choices are kept in this browser, because they are about this device.</Trans>}
      </p>
    </div>
  );
}
