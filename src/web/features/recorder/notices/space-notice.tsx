import { Plural, Trans } from '@lingui/react/macro';
import { minute } from '#base/duration.ts';
import type { Quality } from '#contract/limits.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { spaceOf } from '#web/features/recorder/audio/storage-estimate.ts';
import { useFreeBytes } from '#web/features/recorder/audio/use-free-bytes.ts';
import styles from './notices.module.css';

/** During a take: little room is left on this device, said louder when it is very little. */
export function SpaceNotice({ quality }: { quality: Quality }) {
  const freeBytes = useFreeBytes();
  const room = spaceOf(freeBytes, quality);
  if (room === null || room.urgency === 'enough' || room.urgency === 'some') return null;
  const minutes = Math.floor(room.leftMs / minute);
  return (
    <Notice
      tone={room.urgency === 'almost-none' ? 'danger' : 'warn'}
      {...(room.urgency === 'almost-none' ? { role: 'alert' } : {})}
      className={styles.notice}
      title={
        <Plural
          value={minutes}
          _0="Less than a minute of space left"
          one="Space for about # more minute"
          other="Space for about # more minutes"
        />
      }
    >
      <Trans>This device is nearly full. Free up space. You can keep recording while you do.</Trans>
    </Notice>
  );
}
