import type { Tag } from '#contract/library-api.ts';
import type { BulkActions } from '#web/features/library/actions/use-bulk-actions.ts';
import type { RecordingActions } from '#web/features/library/actions/use-recording-actions.ts';
import { useZipDownload } from '#web/features/library/actions/use-zip-download.ts';
import { usePendingStars } from '#web/recordings/favourites/use-star.ts';
import { ListHead } from '#web/features/library/list/list-head.tsx';
import { RecordingList } from '#web/features/library/list/recording-list.tsx';
import type { RowPlayback } from '#web/features/library/list/row-play.tsx';
import type { RowSharing } from '#web/features/library/list/library-list-item.tsx';
import type { LocalOverviews } from '#web/features/library/list/local-overviews.ts';
import type { LibraryState } from './use-library.ts';
import { timeOrderOf } from '#web/features/library/view/library-view.ts';
import { SaveView } from '#web/features/library/view/saved-views.tsx';

export interface LibraryListProps {
  library: LibraryState;
  overviews: LocalOverviews;
  tagsById: ReadonlyMap<string, Tag>;
  isSignedIn: boolean;
  actions: RecordingActions;
  bulk: BulkActions;
  playback: RowPlayback;
  sharing: RowSharing;
}

/** The rows, and above them the actions on the selected ones. */
export function LibraryList({
  library,
  overviews,
  tagsById,
  isSignedIn,
  actions,
  bulk,
  playback,
  sharing,
}: LibraryListProps) {
  const stars = usePendingStars();
  const { view, show, rows, query, selection, openDialog } = library;
  const zip = useZipDownload();
  const download = () => zip([...selection.chosen]);
  const isAllFavourite =
    selection.chosen.size > 0 &&
    rows
      .filter(({ id }) => selection.chosen.has(id))
      .every(({ id, isFavourite }) => stars.get(id) ?? isFavourite);
  const favourite = {
    isOn: isAllFavourite,
    onPress: () => bulk.favourite([...selection.chosen], !isAllFavourite),
  };
  const moveToTrash = () => {
    bulk.moveToTrash([...selection.chosen]);
    selection.clear();
  };
  return (
    <>
      <ListHead
        count={library.isLoading ? null : library.count}
        sort={isSignedIn ? view.sort : null}
        onSort={(sort) => show({ ...view, sort })}
        selection={selection}
        saveView={<SaveView view={view} isEnabled={isSignedIn} />}
        actions={{
          onChooseAll: library.chooseAll,
          onTag: isSignedIn ? () => openDialog({ for: 'tags', ids: [...selection.chosen] }) : null,
          favourite: isSignedIn ? favourite : null,
          onDownload: isSignedIn ? download : null,
          onMoveToTrash: moveToTrash,
        }}
      />
      {rows.length > 0 && (
        <RecordingList
          rows={rows}
          count={Math.max(rows.length, library.count ?? 0)}
          overviews={overviews}
          tagsById={tagsById}
          SharedSign={sharing.SharedSign}
          search={view.search.trim()}
          selection={selection}
          isByDay={timeOrderOf(view.sort) !== null}
          onChooseAll={library.chooseAll}
          onShow={query.show}
          onMoveToTrash={moveToTrash}
          actions={{
            onRename: (row) => openDialog({ for: 'title', row }),
            onEdit: (row) => openDialog({ for: 'details', row }),
            onTag: (row) => openDialog({ for: 'tags', ids: [row.id] }),
            onMoveToTrash: actions.moveToTrash,
            onShare: sharing.onShare,
            ...playback,
          }}
        />
      )}
    </>
  );
}
