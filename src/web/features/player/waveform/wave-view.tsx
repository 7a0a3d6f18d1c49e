import { memo, useCallback } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { MarkerPoints } from './marker-points.tsx';
import { PositionSlider } from './position-slider.tsx';
import type { Waveform } from './waveform.ts';
import { paintRuler } from './ruler-painter.ts';
import { listenToRuler, listenToOverview } from './wave-gestures.ts';
import { paintWave, type WaveKind } from './wave-painter.ts';
import styles from './waveform.module.css';

/** The waveform of a recording: ruler, visible range, markers, and the overview. */
export const WaveView = memo(function WaveView({
  waveform,
  markers,
}: {
  waveform: Waveform;
  markers: readonly PlayableMarker[];
}) {
  return (
    <>
      <TimeRuler waveform={waveform} />
      <PositionSlider waveform={waveform}>
        <WaveCanvas waveform={waveform} kind="detail" />
      </PositionSlider>
      <MarkerPoints waveform={waveform} markers={markers} />
      <OverviewStrip waveform={waveform} />
    </>
  );
});

/**
 * The times above the waveform, in Latin digits from left to right. Screen readers get them from the slider below.
 */
function TimeRuler({ waveform }: { waveform: Waveform }) {
  const attach = useCallback(
    (canvas: HTMLCanvasElement) => {
      const stops = [paintRuler(canvas, waveform), listenToRuler(canvas, waveform)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    [waveform],
  );
  return <canvas ref={attach} dir="ltr" aria-hidden className={styles.ruler} />;
}

/** The overview of the recording with the visible range. For pointers only: slider and buttons offer the same. */
export function OverviewStrip({ waveform }: { waveform: Waveform }) {
  const attach = useCallback((element: HTMLDivElement) => listenToOverview(element, waveform), [waveform]);
  useStore(waveform);
  return (
    <div
      ref={attach}
      aria-hidden
      dir="ltr"
      data-repeats={waveform.isWhole ? '' : undefined}
      className={styles.overview}
    >
      <WaveCanvas waveform={waveform} kind="overview" />
    </div>
  );
}

interface WaveCanvasProps {
  waveform: Waveform;
  kind: WaveKind;
  className?: string | undefined;
}

/** The drawing. The slider around it describes it to screen readers. */
export function WaveCanvas({ waveform, kind, className }: WaveCanvasProps) {
  const attach = useCallback(
    (canvas: HTMLCanvasElement) => paintWave(canvas, waveform, kind),
    [waveform, kind],
  );
  return <canvas ref={attach} aria-hidden className={className} />;
}
