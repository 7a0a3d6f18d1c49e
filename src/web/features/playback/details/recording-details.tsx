import { memo, type ReactNode } from 'react';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recorded-time/recorded-time-text.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { PlayableActions, PlayableRecording } from '../playable-recording.ts';
import { FormatWords, TrackList } from './audio-tracks.tsx';
import { Changes } from './changes.tsx';
import { EditTime } from './edit-time.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { Receipts } from './receipts.tsx';
import styles from './details.module.css';

const codecNames: Record<string, string> = { opus: 'Opus' };

/** What is stored, how, and with which receipts. */
export const RecordingDetails = memo(function RecordingDetails({ recording, onChangeTime }: { recording: PlayableRecording; onChangeTime?: PlayableActions['changeTime'] }) {
  const { t } = useLingui();
  const format = useFormat();
  const { sha256, deviceLabel, segments, copyHereUntilMs, recordedTime } = recording;
  return (
    <section aria-label={t`Details`}>
      <h2 className={styles.heading}><Trans>Details</Trans></h2>
      <dl className={styles.list}>
        <Fact name={t`Date`}><RecordedTimeText time={recordedTime} /> {onChangeTime && <EditTime time={recordedTime} onSave={onChangeTime} />}</Fact>
        <Fact name={t`On the server`}><ServerWords recording={recording} /></Fact>
        {!recording.isUnheard && <SoundFacts recording={recording} />}
        <Fact name={t`Size`}>{format.fileSize(recording.sizeBytes)}</Fact>
        {deviceLabel !== null && deviceLabel !== '' && <Fact name={t`Microphone`}><UserText>{deviceLabel}</UserText></Fact>}
        {sha256 !== null && segments.length === 0 && <Fact name="SHA-256"><Fingerprint sha256={sha256} /></Fact>}
        {copyHereUntilMs !== null && <Fact name={t`On this device`}><CopyHere untilMs={copyHereUntilMs} /></Fact>}
      </dl>
      <Changes history={recording.history} />
      <Receipts segments={segments} />
    </section>
  );
});

/** What is known of the sound: nothing, where there is none to play. */
function SoundFacts({ recording: { storedMs, durationMs, format: sound, audioTracks } }: { recording: PlayableRecording }) {
  const { t } = useLingui();
  const format = useFormat();
  const kilohertz = format.number(sound.sampleRateHz / 1000);
  const codec = codecNames[sound.codec] ?? sound.codec;
  return (
    <>
      <Fact name={t`Length`}><Timecode ms={storedMs} tenths /> {storedMs < durationMs && <Trans>of <Timecode ms={durationMs} tenths /></Trans>}</Fact>
      <Fact name={t`Format`}><FormatWords codec={codec} kilohertz={kilohertz} channels={sound.channels} /></Fact>
      {audioTracks.length > 0 && <Fact name={t`Audio tracks`}><TrackList tracks={audioTracks} /></Fact>}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div className={styles.fact}><dt>{name}</dt><dd>{children}</dd></div>;
}

function CopyHere({ untilMs }: { untilMs: number }) {
  const date = useFormat().date(untilMs);
  return <Trans>Copy on this device until {date}</Trans>;
}

function ServerWords({ recording }: { recording: PlayableRecording }) {
  const { state, isDamaged, isUnheard } = recording;
  if (isDamaged) return <Trans>Damaged</Trans>;
  if (isUnheard) return <Trans>Original file</Trans>;
  if (state === 'ready') return <CompleteWords recording={recording} />;
  if (state === 'device' || state === 'syncing') return <Trans>Not yet</Trans>;
  if (state === 'failed') return <Trans>The original is safe. Earshot will try again to process it.</Trans>;
  if (state === 'abandoned') return <Trans>Everything up to here is on the server. The device may still send the rest.</Trans>;
  return <Trans>Uploading</Trans>;
}

/** Complete: what is stored and what is missing add up to the whole. */
function CompleteWords({ recording: { gaps, storedMs } }: { recording: PlayableRecording }) {
  const { t, i18n } = useLingui();
  const stored = <Timecode ms={storedMs} />;
  if (gaps.length === 0) return <Trans>Complete: {stored}, no gaps</Trans>;
  const missing = gapLengthFor(regionalLocale(i18n.locale))(gaps.reduce((total, gap) => total + gap.durationMs, 0));
  const count = t`${plural(gaps.length, { one: '# gap', other: '# gaps' })}`;
  return <Trans>Complete: {stored}, {count} ({missing} missing)</Trans>;
}
