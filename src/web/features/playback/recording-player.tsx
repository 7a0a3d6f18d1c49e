import { useLingui } from '@lingui/react/macro';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
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

  return (
    <article aria-label={t`Recording`} className={styles.player}>
      <DocumentTitle>{title}</DocumentTitle>
      <TitleLine title={title} facts={<FactsLine recording={recording} />} downloadUrl={recording.downloadUrl} onRename={actions.rename} onMoveToTrash={actions.moveToTrash} />
      <WaveCard recording={recording} waveform={waveform} onAddMarker={handleAddMarker} />
      <div className={styles.columns}>
        <MarkerList markers={markers} actions={actions} onAdd={handleAddMarker} />
        <RecordingDetails recording={recording} />
      </div>
    </article>
  );
}
