import { useMemo, useState } from 'react';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import type { RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { useSelection, type ChosenItems } from '#web/ui/lists/use-selection.ts';
import { usePendingStars } from '#web/recordings/favourites/use-star.ts';
import { localFavourites } from './local-favourites.ts';
import { useRecordings } from './use-recordings.ts';
import { transfers } from '#web/recordings/state/transfers.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import {
  libraryItemsOf,
  type LibraryItem,
  type ListedTake,
} from '#web/features/library/list/library-items.ts';
import { isFiltered, printView, timeOrderOf } from '#web/features/library/view/library-view.ts';
import { useOfflineList } from './use-offline-list.ts';
import { filterQueryOf } from '#web/features/library/view/list-query.ts';
import { useLibraryView, type ShownView } from '#web/features/library/view/use-library-view.ts';

/** The open dialog. */
type OpenDialog = { for: 'title' | 'details'; row: LibraryItem } | { for: 'tags'; ids: readonly string[] };

export interface LibraryState extends ShownView {
  query: RecordingPages;
  rows: readonly LibraryItem[];
  /** Includes recordings that have not loaded yet; null while unknown. */
  count: number | null;
  isLoading: boolean;
  /**
   * The server can't be reached or does not respond. The rows then come from this device and from the list shown
   * last.
   */
  isAway: boolean;
  /** Without the server the rows are not all that the user has. */
  isPartial: boolean;
  selection: ChosenItems;
  chooseAll: () => void;
  dialog: OpenDialog | null;
  openDialog: (dialog: OpenDialog | null) => void;
}

interface LibraryFacts {
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTakes: readonly ListedTake[];
}

/** The state of the library: its rows, the selection and the open dialog. */
export function useLibrary({ session, localTakes }: LibraryFacts): LibraryState {
  const isEnabled = session === 'signed-in';
  const shown = useLibraryView();
  const { view } = shown;
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const query = useRecordings({ view, isEnabled });
  const { recordings, hasList, hasMore, total } = query;
  // Without an account there are only takes on this device, to which filters do not apply.
  const hasFilters = isEnabled && isFiltered(view);
  const moving = useStore(transfers);
  const { away, lastList, isLastListWhole } = useOfflineList(query);
  // Favourites are the only filter that works without the server.
  const isStarsHere = view.isFavourite && away && !hasList && !isFiltered({ ...view, isFavourite: false });
  const stars = usePendingStars();
  const here = useMemo(
    () =>
      isStarsHere ? localFavourites({ takes: localTakes, lastList }, stars) : { takes: localTakes, lastList },
    [isStarsHere, localTakes, lastList, stars],
  );
  const rows = useMemo(
    () =>
      libraryItemsOf({
        ...here,
        recordings,
        transfers: moving,
        search: view.search,
        isFiltered: hasFilters && !isStarsHere,
        hasServerList: hasList,
        isAway: away,
        byTime: timeOrderOf(view.sort),
      }),
    [here, recordings, moving, view.search, view.sort, hasFilters, isStarsHere, hasList, away],
  );
  const localCount = hasList ? rows.length - recordings.length : rows.length;
  const selection = useChoosable(useSelection(printView(view)), rows);
  const chooseAll = useChooseAll({
    view,
    rows: rows.filter(({ isOnServer }) => !isOnServer),
    isEnabled,
    selection,
  });
  return {
    ...shown,
    rows,
    isAway: away,
    isPartial: !isLastListWhole,
    selection,
    chooseAll,
    dialog,
    openDialog,
    query: { ...query, show: ({ from, to }) => query.show({ from: from - localCount, to: to - localCount }) },
    count: countOf({ hasMore, total, isWhole: isLastListWhole, localCount, rowCount: rows.length }),
    isLoading: session === 'unknown' || query.isLoading,
  };
}

interface CountFacts extends Pick<RecordingPages, 'hasMore' | 'total'> {
  isWhole: boolean;
  localCount: number;
  rowCount: number;
}

function countOf({ hasMore, total, isWhole, localCount, rowCount }: CountFacts): number | null {
  if (!isWhole) return null;
  return hasMore ? total && total + localCount : rowCount;
}

/** A recording in progress can't be selected, because no bulk action applies to it. */
function useChoosable(selection: ChosenItems, rows: readonly LibraryItem[]): ChosenItems {
  const running = useMemo(
    () => new Set(rows.filter(({ state }) => state === 'recording-here').map(({ id }) => id)),
    [rows],
  );
  return {
    ...selection,
    toggle: (id) => {
      if (!running.has(id)) selection.toggle(id);
    },
    extend: (ids, id) =>
      selection.extend(
        ids.filter((one) => one === id || !running.has(one)),
        id,
      ),
    set: (ids) => selection.set([...ids].filter((id) => !running.has(id))),
  };
}

interface ChooseAllFacts extends Pick<ShownView, 'view'> {
  rows: readonly LibraryItem[];
  isEnabled: boolean;
  selection: ChosenItems;
}

function useChooseAll({ view, rows, isEnabled, selection }: ChooseAllFacts): () => void {
  const messageOf = useErrorMessage();
  const here = rows.map(({ id }) => id);
  return () => {
    if (!isEnabled) {
      selection.set(here);
      return;
    }
    call('listRecordingIds', { query: filterQueryOf(view, new Date()) }).then(
      ({ ids }) => selection.set([...here, ...ids]),
      (error: unknown) => showFailure(() => messageOf(error)),
    );
  };
}
