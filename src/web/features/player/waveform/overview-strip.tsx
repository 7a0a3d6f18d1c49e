import { useCallback } from 'react';
import { listenToOverview } from './wave-gestures.ts';
import { WaveCanvas } from './wave-canvas.tsx';
import type { Waveform } from './waveform.ts';
import styles from './waveform.module.css';

/**
 * The whole recording in small, and where the detail is in it. A shortcut for pointers: the slider and the
 * buttons do the same.
 */
export function OverviewStrip({ waveform }: { waveform: Waveform }) {
  const attach = useCallback((element: HTMLDivElement) => listenToOverview(element, waveform), [waveform]);
  return (
    <div ref={attach} aria-hidden dir="ltr" className={styles.overview}>
      <WaveCanvas waveform={waveform} kind="overview" />
    </div>
  );
}
