import { useLingui } from '@lingui/react/macro';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { minSpanMs } from './viewport.ts';
import type { Waveform } from './waveform.ts';
import styles from './waveform.module.css';

export const zoomStep = 2;

export function ZoomButtons({ waveform }: { waveform: Waveform }) {
  const { t } = useLingui();
  const { view, durationMs } = useStore(waveform);
  const isWhole = view.spanMs >= durationMs - 1;
  return (
    <div dir="ltr" className={styles.zoom}>
      <IconButton
        label={t`Zoom out`}
        shortcut={useKeyLabel('player.zoomOut')}
        icon={<ZoomOut />}
        isDisabled={isWhole}
        onPress={() => waveform.zoomBy(1 / zoomStep)}
      />
      <IconButton
        label={t`Show the whole recording`}
        icon={<Maximize2 />}
        isDisabled={isWhole}
        onPress={() => waveform.fit()}
      />
      <IconButton
        label={t`Zoom in`}
        shortcut={useKeyLabel('player.zoomIn')}
        icon={<ZoomIn />}
        isDisabled={view.spanMs <= Math.min(minSpanMs, durationMs)}
        onPress={() => waveform.zoomBy(zoomStep)}
      />
    </div>
  );
}
