import { lazy, Suspense, useRef, useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { ListMusic } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { playQueue } from '#web/features/player/playback/queue-player.ts';

const loadPopover = () => import('./queue-popover.tsx');
const QueuePopover = lazy(async () => ({ default: (await loadPopover()).QueuePopover }));

/** Opens the play queue. Renders nothing while the queue is empty. */
export function QueueButton() {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
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
        onApproach={() => void loadPopover()}
        onPress={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Suspense>
          <QueuePopover label={label} triggerRef={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
