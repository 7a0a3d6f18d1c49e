import { useState } from 'react';
import { Plural, Trans } from '@lingui/react/macro';
import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import { titleText } from '#web/recordings/time/title-text.ts';
import { PageHeader } from '#web/ui/text/page-header.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EmptyTrash } from './empty-trash.tsx';
import { TrashList } from './trash-list.tsx';
import type { TrashPlayback } from './trash-play.tsx';
import { TrashWait } from './trash-wait.tsx';
import { useTrash, type Trashed, type TrashedTake } from './use-trash.ts';

export interface TrashScreenProps {
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTrash: readonly TrashedTake[];
  /** The session is unknown, because the server can't be reached. */
  isCutOff: boolean;
  playback: TrashPlayback;
  onRestore: (item: Trashed) => void;
  onDeleteForGood: (item: Trashed) => void;
  /** The same for several recordings. */
  bulk: { restore: (ids: readonly string[]) => void; deletePermanently: (ids: readonly string[]) => void };
}

const retentionDays = limits.trashRetentionMs / day;

export function TrashScreen({
  session,
  localTrash,
  isCutOff,
  playback,
  onRestore,
  onDeleteForGood,
  bulk,
}: TrashScreenProps) {
  const [idsToDelete, setIdsToDelete] = useState<readonly string[]>([]);
  const { query, items, count, selection, chosenIds, chooseAll } = useTrash(
    session === 'signed-in',
    localTrash,
  );
  const restoreChosen = () => {
    bulk.restore(chosenIds);
    selection.clear();
  };
  const isAway = isCutOff || query.isUnanswered;
  const isEmpty = items.length === 0 && session !== 'unknown' && !query.isLoading && !query.error && !isAway;
  const deletePermanently = (only: Trashed | undefined) => {
    if (only) onDeleteForGood(only);
    else bulk.deletePermanently(idsToDelete);
    selection.clear();
  };
  return (
    <>
      <PageHeader
        title={<Trans>Trash</Trans>}
        meta={
          <Plural
            value={retentionDays}
            one="Recordings are permanently deleted after # day."
            other="Recordings are permanently deleted after # days."
          />
        }
      />
      <TrashWait query={query} isAway={isAway} />
      {isEmpty && <EmptyTrash isSignedIn={session === 'signed-in'} />}
      {chosenIds.length > 0 && (
        <ChosenBar
          count={chosenIds.length}
          onRestore={restoreChosen}
          onDelete={() => setIdsToDelete(chosenIds)}
          onChooseAll={chooseAll}
          onClear={selection.clear}
        />
      )}
      {items.length > 0 && (
        <TrashList
          items={items}
          count={count}
          selection={selection}
          playback={playback}
          onRestore={onRestore}
          onDelete={({ id }) => setIdsToDelete([id])}
          onShow={query.show}
        />
      )}
      {idsToDelete.length > 0 && (
        <Question
          idsToDelete={idsToDelete}
          items={items}
          onClose={() => setIdsToDelete([])}
          onConfirm={deletePermanently}
        />
      )}
    </>
  );
}

interface QuestionProps {
  idsToDelete: readonly string[];
  items: readonly Trashed[];
  onClose: () => void;
  onConfirm: (only: Trashed | undefined) => void;
}

/** Asks before a permanent deletion. A single recording is named by its title. */
function Question({ idsToDelete, items, onClose, onConfirm }: QuestionProps) {
  const only = idsToDelete.length === 1 ? items.find(({ id }) => id === idsToDelete[0]) : undefined;
  return (
    <DeleteDialog
      count={idsToDelete.length}
      title={only ? titleText(only) : null}
      onClose={onClose}
      onConfirm={() => onConfirm(only)}
    />
  );
}
