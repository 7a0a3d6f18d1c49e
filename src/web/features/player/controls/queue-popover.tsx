import type { RefObject } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Play, X } from 'lucide-react';
import { iso } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { DialogPopover } from '#web/ui/overlays/dialog-popover.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { playFromQueue, playQueue } from '#web/features/player/playback/queue-player.ts';
import styles from './queue.module.css';

export interface QueuePopoverProps {
  label: string;
  triggerRef: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function QueuePopover({ label, triggerRef, onClose }: QueuePopoverProps) {
  const { t } = useLingui();
  return (
    <DialogPopover
      label={label}
      triggerRef={triggerRef}
      placement="top end"
      onClose={onClose}
      className={styles.popover}
      dialogClassName={styles.queue}
    >
      <h2>{label}</h2>
      <ol className={styles.list}>
        {useStore(playQueue).map(({ id, title }) => {
          const name = iso(title);
          return (
            <li key={id} className={styles.row}>
              <span className={styles.name}>
                <UserText>{title}</UserText>
              </span>
              <IconButton label={t`Play ${name}`} icon={<Play />} onPress={() => void playFromQueue(id)} />
              <IconButton
                data-ends
                label={t`Remove ${name}`}
                icon={<X />}
                onPress={() => playQueue.remove(id)}
              />
            </li>
          );
        })}
      </ol>
      <Button variant="plain" onPress={() => playQueue.clear()}>
        <Trans>Clear queue</Trans>
      </Button>
    </DialogPopover>
  );
}
