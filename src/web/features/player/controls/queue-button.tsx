import { useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { ListMusic } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { playQueue } from '#web/features/player/playback/queue-player.ts';

const popover = lazyChunk(() => import('./queue-popover.tsx'));
const QueuePopover = popover.component((chunk) => chunk.QueuePopover);

/** Opens the play queue. Renders nothing while the queue is empty. */
export function QueueButton() {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleClose = () => setOpen(false);
  if (useStore(playQueue).length === 0) {
    // Otherwise the popover would open again when the next recording is queued.
    if (isOpen) setOpen(false);
    return null;
  }
  const label = t({ message: 'Up next', comment: 'The recordings that will be played after this one' });
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={<ListMusic />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onApproach={popover.preload}
        onPress={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <OpenedPart onClose={handleClose}>
          <QueuePopover label={label} triggerRef={button} onClose={handleClose} />
        </OpenedPart>
      )}
    </>
  );
}
