import { second } from '#base/duration.ts';
import { useShortcuts, type Shortcuts } from '#web/ui/hooks/use-shortcuts.ts';
import { player } from '../engine/shared-player.ts';
import type { Waveform } from '../waveform/waveform.ts';
import { zoomStep } from '../waveform/zoom-buttons.tsx';

const digits = Object.fromEntries(Array.from({ length: 10 }, (_, tenth) => [String(tenth), () => player.seek((player.durationMs() * tenth) / 10)]));

const playback: Shortcuts = {
  ' ': () => player.toggle(),
  k: () => player.toggle(),
  j: () => player.skip(-10 * second),
  l: () => player.skip(10 * second),
  ArrowLeft: () => player.skip(-5 * second),
  ArrowRight: () => player.skip(5 * second),
  'Shift+ArrowLeft': () => player.skip(-second),
  'Shift+ArrowRight': () => player.skip(second),
  Home: () => player.seek(0),
  End: () => player.seek(player.durationMs()),
  '<': () => player.stepRate(-1),
  '>': () => player.stepRate(1),
  m: () => player.toggleMuted(),
  ...digits,
};

/** The player's keys, as people know them from other players. */
export function usePlayerShortcuts({ waveform, onAddMarker }: { waveform: Waveform; onAddMarker: (() => void) | undefined }): void {
  const zoomIn = () => waveform.zoomBy(zoomStep);
  useShortcuts({ ...playback, n: onAddMarker, '+': zoomIn, '=': zoomIn, '-': () => waveform.zoomBy(1 / zoomStep) });
}
