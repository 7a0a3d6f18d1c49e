import { useRef, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { ListMusic, Play, X } from 'lucide-react';
import { Dialog } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { UserText } from '#web/ui/text/user-text.tsx';
import { playFromQueue, playQueue } from './queue-player.ts';
import styles from './queue.module.css';

/** What comes next; nothing while nothing waits. */
export function QueueButton() {
  const { t } = useLingui();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const items = useStore(playQueue);
  if (items.length === 0) return null;
  const label = t({ message: 'Up next', comment: 'The recordings that will be played after this one' });
  return (
    <>
      <IconButton ref={button} label={label} icon={<ListMusic />} aria-haspopup="dialog" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)} />
      <Popover isOpen={isOpen} onOpenChange={setOpen} triggerRef={button} placement="top end" offset={6} className={styles.popover ?? ''}>
        <Dialog aria-label={label} className={styles.queue ?? ''}>
          <h2>{label}</h2>
          <ol className={styles.list}>
            {items.map(({ id, title }) => {
              const name = iso(title);
              return (
                <li key={id} className={styles.row}>
                  <span className={styles.name}><UserText>{title}</UserText></span>
                  <IconButton label={t`Play ${name}`} icon={<Play />} onPress={() => void playFromQueue(id)} />
                  <IconButton label={t`Take ${name} out`} icon={<X />} onPress={() => playQueue.remove(id)} />
                </li>
              );
            })}
          </ol>
          <Button variant="plain" onPress={() => playQueue.clear()}><Trans>Clear the list</Trans></Button>
        </Dialog>
      </Popover>
    </>
  );
}
