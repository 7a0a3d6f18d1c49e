import { useCallback } from 'react';
import { paintRuler } from './ruler-painter.ts';
import type { Waveform } from './waveform.ts';
import { listenToRuler } from './wave-gestures.ts';
import styles from './ruler.module.css';

/** The times above the wave, in Latin digits from left to right; the slider below says the same in words. */
export function TimeRuler({ waveform }: { waveform: Waveform }) {
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
