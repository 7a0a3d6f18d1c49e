import { useLingui } from '@lingui/react/macro';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { ProofLine } from '#web/features/player/details/proof-line.tsx';
import { GapStatus } from './gap-status.tsx';
import type { PlayableActions, PlayableRecording } from '#web/features/player/playable-recording.ts';
import { ResumedLine } from './resumed-line.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { WaveView } from '#web/features/player/waveform/wave-view.tsx';
import type { Waveform } from '#web/features/player/waveform/waveform.ts';
import { ZoomButtons } from '#web/features/player/waveform/zoom-buttons.tsx';
import { LiveLine } from './live-line.tsx';
import { PlaybackError } from './playback-error.tsx';
import { PlayerTools } from './player-tools.tsx';
import { Transport } from '#web/features/player/controls/transport.tsx';
import styles from './screen.module.css';

export interface WaveCardProps {
  recording: PlayableRecording;
  waveform: Waveform;
  onAddMarker: (() => void) | undefined;
  /** Shares a part, or all. */
  onShare: PlayableActions['share'];
}

/** The waveform, the times and everything that controls playback. */
export function WaveCard({ recording, waveform, onAddMarker, onShare }: WaveCardProps) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Player`} className={styles.card}>
      <ProofLine recording={recording} />
      <WaveView waveform={waveform} markers={recording.markers} />
      <Times waveform={waveform} />
      <GapStatus />
      <ResumedLine recordingId={recording.id} />
      <Transport />
      <LiveLine />
      <PlaybackError waveform={waveform} />
      <PlayerTools recording={recording} waveform={waveform} onAddMarker={onAddMarker} onShare={onShare} />
      {/* Last, so that nothing moves when a selection starts or ends. */}
      <SelectionBar recordingId={recording.id} onShare={onShare} />
    </section>
  );
}

function Times({ waveform }: { waveform: Waveform }) {
  const { positionMs, durationMs } = useStore(player);
  const { scrubMs } = useStore(waveform);
  return (
    <div dir="ltr" className={styles.times}>
      <Timecode ms={scrubMs ?? positionMs} tenths className={styles.position} />
      <span className={styles.wideZoom}>
        <ZoomButtons waveform={waveform} />
      </span>
      <Timecode ms={durationMs} tenths />
    </div>
  );
}
