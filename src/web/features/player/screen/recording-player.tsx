import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { LevelNotice } from '#web/features/player/details/level-notice.tsx';
import { TracksNotice } from '#web/features/player/details/audio-tracks.tsx';
import { DamageNotice } from '#web/features/player/details/damage-notice.tsx';
import { FailureNotice } from '#web/features/player/details/failure-notice.tsx';
import { RecordingDetailsPanel } from '#web/features/player/details/recording-details.tsx';
import { BreakList } from './break-list.tsx';
import { GapList } from './gap-list.tsx';
import { PassageList } from './passage-list.tsx';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { MarkerList } from '#web/features/player/markers/marker-list.tsx';
import { useAddMarker } from '#web/features/player/markers/use-add-marker.ts';
import { PlayerScreen } from './player-page.tsx';
import { WaveCard } from './wave-card.tsx';
import { usePlayerShortcuts } from './use-player-shortcuts.ts';
import { useWaveform } from './use-waveform.ts';
import styles from './screen.module.css';

export interface RecordingPlayerProps {
  recording: PlayableRecording;
  actions: PlayableActions;
  /** Rendered below the waveform. */
  transcript?: ReactNode;
  /** Rendered below the markers. */
  notes?: ReactNode;
  /** Shown with the facts: whether others can listen. */
  sharedSign?: ReactNode;
}

/** The player page of one recording, from the server or this device. Pass the recording's id as `key`. */
export function RecordingPlayer(props: RecordingPlayerProps) {
  return props.recording.hasNoSound ? <UnplayableScreen {...props} /> : <PlayableScreen {...props} />;
}

/** Shown for a file without audio: explains why and offers what can be done with it. */
function UnplayableScreen({ recording, actions, notes, sharedSign }: RecordingPlayerProps) {
  return (
    <PlayerScreen recording={recording} actions={actions} sharedSign={sharedSign}>
      <FailureNotice reason={recording.failureReason} className={styles.notice} />
      <div className={styles.columns}>
        <div>{notes}</div>
        <RecordingDetailsPanel recording={recording} onChangeTime={actions.changeTime} />
      </div>
    </PlayerScreen>
  );
}

function PlayableScreen({ recording, actions, transcript, notes, sharedSign }: RecordingPlayerProps) {
  const { durationMs, failureReason } = recording;
  const { share } = actions;
  const waveform = useWaveform(recording);

  const { toName, add } = useAddMarker(actions, durationMs);
  const handleAddMarker = add && (() => add('press'));
  usePlayerShortcuts({
    waveform,
    onAddMarker: add && (() => add('key')),
    onToggleFavourite: actions.toggleFavourite,
    onShare: share && (() => share(null)),
  });

  return (
    <PlayerScreen recording={recording} actions={actions} sharedSign={sharedSign}>
      {recording.isDamaged && (
        <DamageNotice hasCopyHere={recording.copyHereUntilMs !== null} className={styles.notice} />
      )}
      {recording.isPartlySilent && <PartlySilent />}
      {isImportWaiting(recording) && <ImportWaiting />}
      {failureReason !== null && <FailureNotice reason={failureReason} className={styles.notice} />}
      <TracksNotice tracks={recording.audioTracks} className={styles.notice} />
      <LevelNotice quieterByDb={recording.quieterByDb} className={styles.notice} />
      <WaveCard recording={recording} waveform={waveform} onAddMarker={handleAddMarker} onShare={share} />
      {transcript}
      <div className={styles.columns}>
        <div>
          <MarkerList recording={recording} actions={actions} onAdd={handleAddMarker} toName={toName} />
          {notes}
          <GapList gaps={recording.gaps} />
          <BreakList breaks={recording.breaks} />
          <PassageList recording={recording} />
        </div>
        <RecordingDetailsPanel recording={recording} onChangeTime={actions.changeTime} />
      </div>
    </PlayerScreen>
  );
}

/** Whether the rest of an imported file is missing and this page is not sending it. */
const isImportWaiting = ({ isIncompleteImport, shownState }: PlayableRecording): boolean =>
  isIncompleteImport && (shownState === 'incomplete' || shownState === 'interrupted');

function ImportWaiting() {
  return (
    <Notice tone="warn" role="note" className={styles.notice}>
      <Trans>Part of this file isn’t on the server yet. Import the same file again to continue.</Trans>
    </Notice>
  );
}

function PartlySilent() {
  return (
    <Notice tone="info" role="note" className={styles.notice}>
      <Trans>
        Part of this recording plays as silence in this browser for now. You’ll hear it once it’s on the
        server. Nothing is lost.
      </Trans>
    </Notice>
  );
}
