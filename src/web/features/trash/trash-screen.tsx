import { useState, type ReactNode } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { titleText } from '#web/recorded-time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EmptyTrash } from './empty-trash.tsx';
import { TrashList } from './trash-list.tsx';
import { useTrash, type Trashed } from './use-trash.ts';

export interface TrashScreenProps {
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTrash: readonly Trashed[];
  /** Why the list is not all there is; null where it is. */
  notice: ReactNode;
  onRestore: (item: Trashed) => void;
  onDeleteForGood: (item: Trashed) => void;
  /** The same for several at once. */
  bulk: { restore: (ids: readonly string[]) => void; deleteForGood: (ids: readonly string[]) => void };
}

const keptDays = limits.trashKeptMs / day;

export function TrashScreen({ session, localTrash, notice, onRestore, onDeleteForGood, bulk }: TrashScreenProps) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  const messageOf = useErrorMessage();
  const { query, items, count, selection, chosenIds, chooseAll } = useTrash(session === 'signed-in', localTrash);
  const restoreChosen = () => {
    bulk.restore(chosenIds);
    selection.clear();
  };
  const isEmpty = items.length === 0 && session !== 'unknown' && !query.isLoading && !query.error && notice === null;
  const deleteForGood = (only: Trashed | undefined) => {
    if (only) onDeleteForGood(only);
    else bulk.deleteForGood(asked);
    selection.clear();
  };
  const retry = <Button onPress={query.retry}><Trans>Try again</Trans></Button>;
  return (
    <>
      <PageHeader title={<Trans>Trash</Trans>} meta={<Plural value={keptDays} one="Recordings are permanently deleted after # day." other="Recordings are permanently deleted after # days." />} />
      {notice}
      {query.error && <Notice tone="warn" role="alert" title={<Trans>Couldn’t load the trash from the server.</Trans>} action={retry}>{messageOf(query.error)}</Notice>}
      {isEmpty && <EmptyTrash />}
      {chosenIds.length > 0 && <ChosenBar count={chosenIds.length} onRestore={restoreChosen} onDelete={() => setAsked(chosenIds)} onChooseAll={chooseAll} onClear={selection.clear} />}
      {items.length > 0 && <TrashList items={items} count={count} selection={selection} onRestore={onRestore} onDelete={({ id }) => setAsked([id])} onShow={query.show} />}
      {asked.length > 0 && <Question asked={asked} items={items} onClose={() => setAsked([])} onConfirm={deleteForGood} />}
    </>
  );
}

interface QuestionProps { asked: readonly string[]; items: readonly Trashed[]; onClose: () => void; onConfirm: (only: Trashed | undefined) => void }

/** Asks before deleting for good; one alone is called by its name. */
function Question({ asked, items, onClose, onConfirm }: QuestionProps) {
  const only = asked.length === 1 ? items.find(({ id }) => id === asked[0]) : undefined;
  return <DeleteDialog count={asked.length} title={only ? titleText(only) : null} onClose={onClose} onConfirm={() => onConfirm(only)} />;
}
