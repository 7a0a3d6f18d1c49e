import { Trans, useLingui } from '@lingui/react/macro';
import { Download, Trash2 } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { player } from './engine/shared-player.ts';
import type { PlayableActions, PlayableRecording } from './playable-recording.ts';
import { FactsLine } from './screen/facts-line.tsx';
import { MarkerList } from './screen/marker-list.tsx';
import { RecordingDetails } from './screen/recording-details.tsx';
import { TitleLine } from './screen/title-line.tsx';
import { WaveCard } from './screen/wave-card.tsx';
import { usePlayerShortcuts } from './screen/use-player-shortcuts.ts';
import { useWaveform } from './use-waveform.ts';
import styles from './screen/screen.module.css';

export interface RecordingPlayerProps { recording: PlayableRecording; actions: PlayableActions }

/** The player's screen for one recording, wherever it lies. Give it a `key` of the recording's id. */
export function RecordingPlayer({ recording, actions }: RecordingPlayerProps) {
  const { t } = useLingui();
  const { title, durationMs, markers } = recording;
  const waveform = useWaveform(recording);

  const { addMarker } = actions;
  const handleAddMarker = addMarker && (() => addMarker(Math.round(Math.min(player.positionMs(), durationMs))));
  usePlayerShortcuts({ waveform, onAddMarker: handleAddMarker });

  const buttons = (
    <>
      <LinkButton href={recording.downloadUrl} download={fileNameOf(title)} icon={<Download aria-hidden />}><Trans>Download</Trans></LinkButton>
      {actions.moveToTrash && <Button icon={<Trash2 aria-hidden />} onPress={actions.moveToTrash}><Trans>Move to trash</Trans></Button>}
    </>
  );
  return (
    <article aria-label={t`Recording`}>
      <title>{`${title} · Earshot`}</title>
      <TitleLine title={title} facts={<FactsLine recording={recording} />} actions={buttons} onRename={actions.rename} />
      <WaveCard recording={recording} waveform={waveform} onAddMarker={handleAddMarker} />
      <div className={styles.columns}>
        <MarkerList markers={markers} actions={actions} onAdd={handleAddMarker} />
        <RecordingDetails recording={recording} />
      </div>
    </article>
  );
}

/** A name every file system takes: what they forbid becomes a dash. */
const fileNameOf = (title: string): string => `${title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-').slice(0, 120).trim()}.ogg`;
