import { second } from '#base/duration.ts';
import { useShortcuts, type Shortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { jumpToLive } from './live.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { skipSeconds } from '#web/features/player/controls/skip-seconds.ts';
import { looping } from '#web/features/player/waveform/looping.ts';
import { selectFromHere, selectToHere } from '#web/features/player/waveform/steps.ts';
import { silenceSkipping } from '#web/features/player/playback/silence-skipping.ts';
import type { Waveform } from '#web/features/player/waveform/waveform.ts';
import { zoomStep } from '#web/features/player/waveform/zoom-buttons.tsx';

const playback: Shortcuts = {
  'player.play': () => player.toggle(),
  'player.back': () => player.skip(-skipSeconds * second),
  'player.forward': () => player.skip(skipSeconds * second),
  'player.tenth': (digit) => player.seek((player.durationMs() * Number(digit)) / 10),
  'player.slower': () => player.stepRate(-1),
  'player.faster': () => player.stepRate(1),
  'player.mute': () => player.toggleMuted(),
  'player.loop': () => looping.set(!looping.getSnapshot()),
  'player.start': selectFromHere,
  'player.end': selectToHere,
  'player.silence': () => silenceSkipping.set(!silenceSkipping.getSnapshot().isOn),
  'player.live': jumpToLive,
};

const fixed = {
  ' ': () => player.toggle(),
  ArrowLeft: () => player.skip(-5 * second),
  ArrowRight: () => player.skip(5 * second),
  'Shift+ArrowLeft': () => player.skip(-second),
  'Shift+ArrowRight': () => player.skip(second),
  Home: () => player.seek(0),
  End: () => player.seek(player.durationMs()),
  Escape: () => selection.set(null),
};

/** The keyboard shortcuts of the player, as in other players. */
export function usePlayerShortcuts({
  waveform,
  onAddMarker,
  onToggleFavourite,
  onShare,
}: {
  waveform: Waveform;
  onAddMarker: (() => void) | undefined;
  onToggleFavourite: (() => void) | undefined;
  onShare: (() => void) | undefined;
}): void {
  const zoom = {
    'player.zoomIn': () => waveform.zoomBy(zoomStep),
    'player.zoomOut': () => waveform.zoomBy(1 / zoomStep),
  };
  useShortcuts(
    {
      ...playback,
      ...zoom,
      'player.mark': onAddMarker,
      'player.favourite': onToggleFavourite,
      'player.share': onShare,
    },
    fixed,
  );
}
