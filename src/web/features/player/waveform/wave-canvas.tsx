import { useCallback } from 'react';
import { paintWave, type WaveKind } from './wave-painter.ts';
import type { Waveform } from './waveform.ts';

export interface WaveCanvasProps {
  waveform: Waveform;
  kind: WaveKind;
  className?: string | undefined;
}

/** The picture alone; what it says is said in words by the slider around it. */
export function WaveCanvas({ waveform, kind, className }: WaveCanvasProps) {
  const attach = useCallback(
    (canvas: HTMLCanvasElement) => paintWave(canvas, waveform, kind),
    [waveform, kind],
  );
  return <canvas ref={attach} aria-hidden className={className} />;
}
