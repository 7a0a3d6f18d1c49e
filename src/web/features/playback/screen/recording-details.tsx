import type { ReactNode } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import type { PlayableRecording } from '../playable-recording.ts';
import styles from './details.module.css';

const codecNames: Record<string, string> = { opus: 'Opus' };

/** What is stored, how, and what is missing: every gap by its name. */
export function RecordingDetails({ recording }: { recording: PlayableRecording }) {
  const { t } = useLingui();
  const format = useFormat();
  const { format: sound, gaps, sha256, deviceLabel } = recording;
  const missingMs = gaps.reduce((total, gap) => total + gap.durationMs, 0);
  const kilohertz = format.number(sound.sampleRateHz / 1000);
  const codec = codecNames[sound.codec] ?? sound.codec;
  return (
    <section aria-label={t`Details`}>
      <h2 className={styles.heading}><Trans>Details</Trans></h2>
      <dl className={styles.list}>
        <Fact name={t`Recorded`}><Timecode ms={recording.durationMs - missingMs} tenths /> {missingMs > 0 && <Trans>of <Timecode ms={recording.durationMs} tenths /></Trans>}</Fact>
        {gaps.map((gap) => <Fact key={gap.atMs} name={t`Gap`}><GapWords gap={gap} /></Fact>)}
        <Fact name={t`Format`}>{sound.channels === 1 ? <Trans>{codec}, {kilohertz} kHz, mono</Trans> : <Trans>{codec}, {kilohertz} kHz, stereo</Trans>}</Fact>
        <Fact name={t`Size`}>{format.fileSize(recording.sizeBytes)}</Fact>
        {deviceLabel !== null && deviceLabel !== '' && <Fact name={t`Microphone`}><UserText>{deviceLabel}</UserText></Fact>}
        {recording.segments > 1 && <Fact name={t`Parts`}><Plural value={recording.segments} one="# part" other="# parts" /></Fact>}
        {sha256 !== null && <Fact name="SHA-256"><Fingerprint sha256={sha256} /></Fact>}
        <Fact name={t`On the server`}><ServerWords recording={recording} /></Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div className={styles.fact}><dt>{name}</dt><dd>{children}</dd></div>;
}

function GapWords({ gap }: { gap: PlayableRecording['gaps'][number] }) {
  const { t } = useLingui();
  const format = useFormat();
  const causes: Record<string, string> = {
    'microphone-lost': t`microphone lost`,
    interrupted: t`interrupted`,
    'device-slept': t`the device slept`,
    'page-killed': t`the page was closed`,
    'storage-full': t`no space left`,
  };
  const length = format.duration(gap.durationMs);
  const cause = causes[gap.cause] ?? t`cause unknown`;
  return <Trans><Timecode ms={gap.atMs} />, {length}, {cause}</Trans>;
}

function ServerWords({ recording: { state } }: { recording: PlayableRecording }) {
  if (state === 'ready') return <Trans>Complete</Trans>;
  if (state === 'device' || state === 'syncing') return <Trans>Not yet</Trans>;
  if (state === 'failed') return <Trans>The original is kept; making it ready is tried again</Trans>;
  if (state === 'abandoned') return <Trans>Everything up to here; the device may still send the rest</Trans>;
  return <Trans>Arriving</Trans>;
}

function Fingerprint({ sha256 }: { sha256: string }) {
  const { t } = useLingui();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sha256);
      showToast({ message: t`SHA-256 copied`, tone: 'success' });
    } catch {
      showToast({ message: sha256 });
    }
  };
  return (
    <span className={styles.fingerprint}>
      <code dir="ltr" title={sha256}>{sha256.slice(0, 8)}…{sha256.slice(-4)}</code>
      <IconButton label={t`Copy SHA-256`} icon={<Copy />} onPress={() => void copy()} />
    </span>
  );
}
