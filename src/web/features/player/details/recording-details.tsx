import { memo, type ReactNode, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil } from 'lucide-react';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { EditTimeDialog } from '#web/recordings/time/edit-time-dialog.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { FormatText, TrackList } from './audio-tracks.tsx';
import { Changes } from './changes.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { Receipts } from './receipts.tsx';
import { StoredOnServer } from './stored-on-server.tsx';
import styles from './details.module.css';

const codecNames: Record<string, string> = { opus: 'Opus' };

/** Date, storage state, format, size and receipts of a recording. */
export const RecordingDetailsPanel = memo(function RecordingDetails({
  recording,
  onChangeTime,
}: {
  recording: PlayableRecording;
  onChangeTime?: PlayableActions['changeTime'];
}) {
  const { t } = useLingui();
  const format = useFormat();
  const { sha256, deviceLabel, segments, copyHereUntilMs, recordedTime } = recording;
  return (
    <section aria-label={t`Details`}>
      <h2 className={styles.heading}>
        <Trans>Details</Trans>
      </h2>
      <dl className={styles.list}>
        <Fact name={t`Date`}>
          <RecordedTimeText time={recordedTime} />{' '}
          {onChangeTime && <EditTime time={recordedTime} onSave={onChangeTime} />}
        </Fact>
        <Fact name={t`On the server`}>
          <StoredOnServer recording={recording} />
        </Fact>
        {!recording.hasNoSound && <SoundFacts recording={recording} />}
        <Fact name={t`Size`}>{format.fileSize(recording.sizeBytes)}</Fact>
        {deviceLabel !== null && deviceLabel !== '' && (
          <Fact name={t`Microphone`}>
            <UserText>{deviceLabel}</UserText>
          </Fact>
        )}
        {sha256 !== null && segments.length === 0 && (
          <Fact name="SHA-256">
            <Fingerprint sha256={sha256} />
          </Fact>
        )}
        {copyHereUntilMs !== null && (
          <Fact name={t`On this device`}>
            <CopyHere untilMs={copyHereUntilMs} />
          </Fact>
        )}
      </dl>
      <Changes history={recording.history} />
      <Receipts recording={recording} />
    </section>
  );
});

/** Length, format and audio tracks. Not rendered for a file without sound. */
function SoundFacts({
  recording: { storedMs, durationMs, microphoneSilenceMs, format: sound, audioTracks },
}: {
  recording: PlayableRecording;
}) {
  const { t } = useLingui();
  const format = useFormat();
  const kilohertz = format.number(sound.sampleRateHz / 1000);
  const codec = codecNames[sound.codec] ?? sound.codec;
  return (
    <>
      <Fact name={t`Length`}>
        <Timecode ms={storedMs} tenths />{' '}
        {storedMs < durationMs && (
          <Trans>
            of <Timecode ms={durationMs} tenths />
          </Trans>
        )}
      </Fact>
      {(microphoneSilenceMs ?? 0) > 0 && (
        <Fact name={t`Silence from the microphone`}>
          <MicrophoneSilence ms={microphoneSilenceMs ?? 0} />
        </Fact>
      )}
      <Fact name={t`Format`}>
        <FormatText codec={codec} kilohertz={kilohertz} channels={sound.channels} />
      </Fact>
      {audioTracks.length > 0 && (
        <Fact name={t`Audio tracks`}>
          <TrackList tracks={audioTracks} />
        </Fact>
      )}
    </>
  );
}

/** For how long the microphone delivered silence, and that none of it is a gap. */
function MicrophoneSilence({ ms }: { ms: number }) {
  const { i18n } = useLingui();
  const length = gapLengthFor(regionalLocale(i18n.locale))(ms);
  return (
    <Trans>{length} in all. The microphone was muted, or is silent between words. This isn’t a gap.</Trans>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CopyHere({ untilMs }: { untilMs: number }) {
  const date = useFormat().date(untilMs);
  return <Trans>Copy on this device until {date}</Trans>;
}

/** Opens the dialog that changes the date of a recording. */
function EditTime({ time, onSave }: { time: RecordedTime; onSave: (time: RecordedTime) => void }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t`Edit date`} icon={<Pencil aria-hidden />} onPress={() => setOpen(true)} />
      {isOpen && <EditTimeDialog time={time} onSave={onSave} onClose={() => setOpen(false)} />}
    </>
  );
}
