import type { ReactNode } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { DocumentTitle } from '#web/ui/text/document-title.tsx';
import { stopPlaying } from './engine/open-recording.ts';
import { player } from './engine/shared-player.ts';
import { DamageNotice } from './details/damage-notice.tsx';
import { RecordingDetails } from './details/recording-details.tsx';
import { GapList } from './gaps/gap-list.tsx';
import type { PlayableActions, PlayableRecording } from './playable-recording.ts';
import { FactsLine } from './screen/facts-line.tsx';
import { MarkerList } from './markers/marker-list.tsx';
import { TitleLine } from './screen/title-line.tsx';
import { WaveCard } from './screen/wave-card.tsx';
import { usePlayerShortcuts } from './screen/use-player-shortcuts.ts';
import { useWaveform } from './use-waveform.ts';
import styles from './screen/screen.module.css';

export interface RecordingPlayerProps {
  recording: PlayableRecording;
  actions: PlayableActions;
  /** Stands below the markers. */
  notes?: ReactNode;
  isOnServer: boolean;
}

/** The player's screen for one recording, wherever it lies. Give it a `key` of the recording's id. */
export function RecordingPlayer({ recording, actions, notes, isOnServer }: RecordingPlayerProps) {
  const { t } = useLingui();
  const { title, durationMs } = recording;
  const waveform = useWaveform(recording);

  const { addMarker, moveToTrash } = actions;
  const handleAddMarker = addMarker && (() => addMarker(Math.round(Math.min(player.positionMs(), durationMs))));
  usePlayerShortcuts({ waveform, onAddMarker: handleAddMarker });

  return (
    <article aria-label={t`Recording`} className={styles.player}>
      <DocumentTitle>{title}</DocumentTitle>
      <TitleLine title={title} facts={<FactsLine recording={recording} />} takeAway={{ recording, isOnServer }} onRename={actions.rename} onMoveToTrash={moveToTrash && (() => { stopPlaying(recording.id); moveToTrash(); })} />
      {recording.isDamaged && <DamageNotice hasCopyHere={recording.copyHereUntilMs !== null} className={styles.notice} />}
      {recording.isPartlySilent && <PartlySilent />}
      <WaveCard recording={recording} waveform={waveform} onAddMarker={handleAddMarker} />
      <div className={styles.columns}>
        <div>
          <MarkerList recording={recording} actions={actions} onAdd={handleAddMarker} />
          {notes}
          <GapList gaps={recording.gaps} />
        </div>
        <RecordingDetails recording={recording} />
      </div>
    </article>
  );
}

function PartlySilent() {
  return <Notice tone="info" role="note" className={styles.notice}><Trans>Part of this recording was written by the browser's own recorder. Here it plays as silence; it can be heard once the server has it. Nothing is lost.</Trans></Notice>;
}
