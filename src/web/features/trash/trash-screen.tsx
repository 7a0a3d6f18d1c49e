import { useState } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { Trash2 } from 'lucide-react';
import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { TrashRow } from './trash-row.tsx';
import { mergeTrash, useTrashed, type Trashed } from './use-trashed.ts';
import styles from './trash.module.css';

export interface TrashScreenProps {
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTrash: readonly Trashed[];
  onRestore: (item: Trashed) => void;
  onDeleteForGood: (item: Trashed) => void;
}

const keptDays = limits.trashKeptMs / day;

export function TrashScreen({ session, localTrash, onRestore, onDeleteForGood }: TrashScreenProps) {
  const [asked, setAsked] = useState<Trashed | null>(null);
  const [nowMs] = useState(() => Date.now());
  const messageOf = useErrorMessage();
  const query = useTrashed(session === 'signed-in');
  const items = mergeTrash(query.items, localTrash);
  const isEmpty = items.length === 0 && session !== 'unknown' && !query.isLoading && !query.error;
  const retry = <Button onPress={query.retry}><Trans>Try again</Trans></Button>;
  return (
    <>
      <PageHeader title={<Trans>Trash</Trans>} meta={<Plural value={keptDays} one="Kept # day, then deleted for good." other="Kept # days, then deleted for good." />} />
      {query.error && <Notice tone="warn" role="alert" title={<Trans>The trash could not be read from the server.</Trans>} action={retry}>{messageOf(query.error)}</Notice>}
      {isEmpty && <EmptyState icon={<Trash2 />} title={<Trans>The trash is empty</Trans>}><Trans>What you move to the trash can be restored from here.</Trans></EmptyState>}
      <ul>
        {items.map((item) => <TrashRow key={item.id} item={item} nowMs={nowMs} onRestore={() => onRestore(item)} onDelete={() => setAsked(item)} />)}
      </ul>
      {query.hasMore && <div className={styles.more}><Button isPending={query.isFetchingMore} onPress={query.loadMore}><Trans>Load more</Trans></Button></div>}
      {asked && <DeleteDialog title={asked.title} onClose={() => setAsked(null)} onConfirm={() => onDeleteForGood(asked)} />}
    </>
  );
}
