import { useMemo, useState } from 'react';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import type { RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { useSelection, type ChosenItems } from '#web/ui/lists/use-selection.ts';
import { pendingStars } from '#web/recordings/favourites/stars.ts';
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

/** What the screen asks in a dialog. */
type OpenDialog = { for: 'title' | 'details'; row: LibraryItem } | { for: 'tags'; ids: readonly string[] };

export interface LibraryState extends ShownView {
  query: RecordingPages;
  rows: readonly LibraryItem[];
  /** With those that are not fetched yet; null while that is not known. */
  count: number | null;
  isLoading: boolean;
  /**
   * The server can't be reached, or does not answer: the rows are those of this device and of the list shown
   * last.
   */
  isAway: boolean;
  selection: ChosenItems;
  chooseAll: () => void;
  dialog: OpenDialog | null;
  openDialog: (dialog: OpenDialog | null) => void;
}

interface LibraryFacts {
  session: 'unknown' | 'signed-out' | 'signed-in';
  localTakes: readonly ListedTake[];
}

/** What the library shows, what is chosen of it, and what is being asked. */
export function useLibrary({ session, localTakes }: LibraryFacts): LibraryState {
  const isEnabled = session === 'signed-in';
  const shown = useLibraryView();
  const { view } = shown;
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const query = useRecordings({ view, isEnabled });
  const { recordings, hasList, hasMore, total } = query;
  // Without an account there are only the takes of this device, and nothing that filters could ask.
  const hasFilters = isEnabled && isFiltered(view);
  const moving = useStore(transfers);
  const { away, lastList } = useOfflineList(query);
  // Of the filters, stars alone are known without the server.
  const isStarsHere = view.isFavourite && away && !hasList && !isFiltered({ ...view, isFavourite: false });
  const stars = useStore(pendingStars);
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
    selection,
    chooseAll,
    dialog,
    openDialog,
    query: { ...query, show: ({ from, to }) => query.show({ from: from - localCount, to: to - localCount }) },
    count: hasMore ? total && total + localCount : rows.length,
    isLoading: session === 'unknown' || query.isLoading,
  };
}

/** A take that runs cannot be chosen: nothing that is done to several can be done to it. */
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
