import { useLingui } from '@lingui/react/macro';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { player } from '../engine/shared-player.ts';
import type { PlayableRecording } from '../playable-recording.ts';
import { MarkerPoints } from '../waveform/marker-points.tsx';
import { OverviewStrip } from '../waveform/overview-strip.tsx';
import { PositionSlider } from '../waveform/position-slider.tsx';
import { WaveCanvas } from '../waveform/wave-canvas.tsx';
import type { Waveform } from '../waveform/waveform.ts';
import { PlaybackTrouble } from './playback-trouble.tsx';
import { PlayerTools } from './player-tools.tsx';
import { Transport } from './transport.tsx';
import styles from './screen.module.css';

export interface WaveCardProps { recording: PlayableRecording; waveform: Waveform; onAddMarker: (() => void) | undefined }

/** The wave, the times and everything that moves the sound. */
export function WaveCard({ recording, waveform, onAddMarker }: WaveCardProps) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Player`} className={styles.card}>
      <PositionSlider waveform={waveform}><WaveCanvas waveform={waveform} kind="detail" /></PositionSlider>
      <MarkerPoints waveform={waveform} markers={recording.markers} />
      <OverviewStrip waveform={waveform} />
      <Times waveform={waveform} />
      <PlaybackTrouble waveform={waveform} />
      <Transport />
      <PlayerTools recordingId={recording.id} waveform={waveform} onAddMarker={onAddMarker} />
    </section>
  );
}

function Times({ waveform }: { waveform: Waveform }) {
  const { positionMs, durationMs } = useStore(player);
  const { scrubMs } = useStore(waveform);
  return (
    <div dir="ltr" className={styles.times}>
      <Timecode ms={scrubMs ?? positionMs} tenths className={styles.position} />
      <Timecode ms={durationMs} tenths />
    </div>
  );
}
