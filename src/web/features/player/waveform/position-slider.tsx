import { useCallback, type KeyboardEvent, type ReactNode } from 'react';
import { useLingui } from '@lingui/react/macro';
import { second } from '#base/duration.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { gapAt } from '#playback/gaps.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { useGapText } from '#web/features/player/use-gap-text.ts';
import { extendSelection } from './steps.ts';
import { listenToDetail } from './wave-gestures.ts';
import type { Waveform } from './waveform.ts';
import styles from './waveform.module.css';

const volumeStep = 0.05;

/** Keys while the slider has focus. Time runs to the right in every language. */
const keys: Record<string, () => void> = {
  ArrowLeft: () => player.skip(-5 * second),
  ArrowRight: () => player.skip(5 * second),
  'Shift+ArrowLeft': () => extendSelection(-second),
  'Shift+ArrowRight': () => extendSelection(second),
  PageUp: () => player.skip(30 * second),
  PageDown: () => player.skip(-30 * second),
  Home: () => player.seek(0),
  End: () => player.seek(player.durationMs()),
  ArrowUp: () => player.setVolume(player.getSnapshot().volume + volumeStep),
  ArrowDown: () => player.setVolume(player.getSnapshot().volume - volumeStep),
};

/** The detail wave as a slider over the whole recording, in milliseconds. */
export function PositionSlider({ waveform, children }: { waveform: Waveform; children: ReactNode }) {
  const { t } = useLingui();
  const format = useFormat();
  const textOf = useGapText();
  const { positionMs, durationMs, track } = useStore(player);
  const { scrubMs } = useStore(waveform);
  const attach = useCallback((element: HTMLDivElement) => listenToDetail(element, waveform), [waveform]);
  const shownMs = scrubMs ?? positionMs;
  const position = format.duration(Math.floor(shownMs / second) * second);
  const length = format.duration(Math.floor(durationMs / second) * second);
  const gap = gapAt(track?.gaps ?? [], shownMs);
  const missing = gap && textOf(gap);
  const handleKeyDown = (event: KeyboardEvent) => {
    const run =
      event.ctrlKey || event.altKey || event.metaKey
        ? undefined
        : keys[`${event.shiftKey ? 'Shift+' : ''}${event.key}`];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <div
      ref={attach}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input's thumb has a width, so its positions would not match the drawn moments
      role="slider"
      tabIndex={0}
      dir="ltr"
      aria-label={t`Position`}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs)}
      aria-valuenow={Math.round(shownMs)}
      aria-valuetext={
        missing === null
          ? t`${position} of ${length}`
          : t`${position} of ${length}, no audio here: ${missing}`
      }
      onKeyDown={handleKeyDown}
      className={styles.slider}
    >
      {children}
    </div>
  );
}
