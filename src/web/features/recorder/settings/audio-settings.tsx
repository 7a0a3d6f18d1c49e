import { Trans } from '@lingui/react/macro';
import { Switch } from '#web/ui/controls/switch.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { useTake } from '#web/features/recorder/recorder.ts';
import { MicrophoneSelect, QualitySelect } from './audio-choice.tsx';
import { MarkerBackSelect } from './marker-back-select.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { HighQuality } from './high-quality.tsx';
import { SpaceForecast } from './space-forecast.tsx';
import { NotificationSwitch } from './notification-switch.tsx';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import styles from './settings.module.css';

/** The processing by the browser, for *Speech*. */
function ProcessingSwitches() {
  const preferences = useStore(audioPreferences);
  return (
    <>
      <Switch
        isSelected={preferences.noiseSuppression}
        onChange={(noiseSuppression) => {
          audioPreferences.change({ noiseSuppression });
        }}
        description={
          <Trans>
            Removes background noise such as fans and traffic. Turn it off for music or in quiet places.
          </Trans>
        }
      >
        <Trans>Noise reduction</Trans>
      </Switch>
      <Switch
        isSelected={preferences.echoCancellation}
        onChange={(echoCancellation) => {
          audioPreferences.change({ echoCancellation });
        }}
        description={<Trans>Removes this device’s speaker sound from the recording.</Trans>}
      >
        <Trans>Echo cancellation</Trans>
      </Switch>
      <Switch
        isSelected={preferences.autoGainControl}
        onChange={(autoGainControl) => {
          audioPreferences.change({ autoGainControl });
        }}
        description={<Trans>Makes close and distant voices equally loud.</Trans>}
      >
        <Trans>Automatic level</Trans>
      </Switch>
    </>
  );
}

/**
 * The recording settings of this device: microphone, quality, audio processing by the browser, and a microphone
 * test.
 */
export function AudioSettings() {
  const preferences = useStore(audioPreferences);
  const isRecording = isInProgress(useTake());
  return (
    <div className={styles.settings}>
      <div className={styles.fields}>
        <MicrophoneSelect look="field" />
        <QualitySelect look="field" />
        <MarkerBackSelect />
      </div>
      {preferences.quality === 'high' && (
        <p className={styles.note}>
          <HighQuality />
        </p>
      )}
      <SpaceForecast quality={preferences.quality} />
      {!isRecording && <MicrophoneTest key={preferences.deviceId} />}
      <div className={styles.switches}>
        {preferences.quality === 'speech' && <ProcessingSwitches />}
        <Switch
          isSelected={preferences.cues}
          onChange={(cues) => {
            audioPreferences.change({ cues });
          }}
          description={
            <Trans>
              Plays a soft sound before recording starts and after it stops. It’s never part of the recording.
            </Trans>
          }
        >
          <Trans>Start and stop sounds</Trans>
        </Switch>
        <NotificationSwitch />
      </div>
      <p className={styles.note}>
        {isRecording ? (
          <Trans>
            You’re recording. A new microphone takes effect now. Everything else applies from your next
            recording.
          </Trans>
        ) : (
          <Trans>These settings apply to this browser only.</Trans>
        )}
      </p>
    </div>
  );
}
