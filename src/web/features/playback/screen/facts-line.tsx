import { memo } from 'react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useFormat } from '#web/i18n/use-format.ts';
import { RecordedTimeText } from '#web/recorded-time/recorded-time-text.tsx';
import { WhereRecorded } from '#web/recorded-time/where-recorded.tsx';
import { StatusPill } from '#web/ui/feedback/status-pill.tsx';
import { languageName } from '#base/language-name.ts';
import type { PlayableRecording, PlayableState } from '../playable-recording.ts';
import styles from './screen.module.css';

/** When, how long, in which language, and where it stands, on one line. */
export const FactsLine = memo(function FactsLine({ recording }: { recording: PlayableRecording }) {
  const format = useFormat();
  const { recordedTime, durationMs, language, gaps, state, isUnheard } = recording;
  return (
    <div className={styles.facts}>
      <RecordedTimeText time={recordedTime} />
      <WhereRecorded time={recordedTime} />
      {!isUnheard && <span>{format.duration(durationMs)}</span>}
      {language !== null && <span>{languageName(language, format.locale)}</span>}
      {gaps.length > 0 && <span><Plural value={gaps.length} one="# gap" other="# gaps" /></span>}
      <StateWords state={isUnheard ? 'ready' : state} />
    </div>
  );
});

const tones = { receiving: 'neutral', finishing: 'neutral', ready: 'safe', abandoned: 'warn', failed: 'warn', device: 'device', syncing: 'device' } as const;

function StateWords({ state }: { state: PlayableState }) {
  const { t } = useLingui();
  const words: Record<PlayableState, string> = {
    receiving: t`Recording now`,
    finishing: t`Finishing`,
    ready: t`Saved on the server`,
    abandoned: t`Interrupted, waiting for its device`,
    failed: t`On the server, still processing`,
    device: t`Only on this device`,
    syncing: t`Uploading to the server`,
  };
  if (state === 'receiving') return <span className={styles.live}><Trans>Recording now</Trans></span>;
  return <StatusPill tone={tones[state]} className={styles.state}>{words[state]}</StatusPill>;
}
