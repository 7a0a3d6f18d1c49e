import { useId } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { Undo2 } from 'lucide-react';
import { useFormat } from '#web/i18n/use-format.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { UserText } from '#web/ui/text/user-text.tsx';
import { daysLeft } from './days-left.ts';
import type { Trashed } from './use-trashed.ts';
import styles from './trash.module.css';

export interface TrashRowProps { item: Trashed; nowMs: number; onRestore: () => void; onDelete: () => void }

export function TrashRow({ item, nowMs, onRestore, onDelete }: TrashRowProps) {
  const format = useFormat();
  const titleId = useId();
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span id={titleId} className={styles.title}><UserText>{item.title}</UserText></span>
        <span className={styles.meta}>
          <time dateTime={new Date(item.startedAtMs).toISOString()}>{format.dateTime(item.startedAtMs)}</time>
          <span><Timecode ms={item.durationMs} /></span>
          <span><Plural value={daysLeft(item.deletedAtMs, nowMs)} _0="deleted for good today" one="# day left" other="# days left" /></span>
        </span>
      </div>
      <div className={styles.actions}>
        <Button icon={<Undo2 aria-hidden />} aria-describedby={titleId} onPress={onRestore}><Trans>Restore</Trans></Button>
        <Button variant="plain" aria-describedby={titleId} onPress={onDelete}><Trans>Delete for good</Trans></Button>
      </div>
    </li>
  );
}
