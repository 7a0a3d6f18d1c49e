import { useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { SlidersHorizontal } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { boost } from '#web/features/player/engine/shared-player.ts';
import { oneChannel } from '#web/features/player/playback/one-channel.ts';
import { silenceSkipping } from '#web/features/player/playback/silence-skipping.ts';
import { sleepTimer } from '#web/features/player/playback/shared-sleep-timer.ts';
import styles from './options.module.css';

const popover = lazyChunk(() => import('./options-popover.tsx'));
const OptionsPopover = popover.component((chunk) => chunk.OptionsPopover);

/**
 * Settings that stay in effect during playback, in one popover. The button shows whether any of them is active.
 */
export function PlaybackOptions() {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleClose = () => setOpen(false);
  const [factor, { isOn: skipsSilence }, { choice: sleep }] = [
    useStore(boost),
    useStore(silenceSkipping),
    useStore(sleepTimer),
  ];
  const { channel } = useStore(oneChannel);
  const isAnyActive = factor > 1 || skipsSilence || sleep !== 'off' || channel !== null;
  const label = t`Playback options`;
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={<SlidersHorizontal />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onApproach={popover.preload}
        onPress={() => setOpen(!isOpen)}
        className={isAnyActive ? styles.atWork : undefined}
      />
      {isOpen && (
        <OpenedPart onClose={handleClose}>
          <OptionsPopover label={label} triggerRef={button} onClose={handleClose} />
        </OpenedPart>
      )}
    </>
  );
}
