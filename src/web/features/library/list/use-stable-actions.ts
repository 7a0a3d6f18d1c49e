import { useLayoutEffect, useMemo, useRef } from 'react';
import type { LibraryItem } from './library-items.ts';
import type { RowActions } from './row-controls.tsx';
import type { QueuePlace } from './row-play.tsx';

interface ListHandlers {
  actions: RowActions;
  toggle: (id: string) => void;
}

/** Functions with a stable identity that call the latest handlers, so that unchanged rows do not render again. */
export function useStableActions(given: ListHandlers): ListHandlers {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  const { playing, running } = given.actions;
  return useMemo(
    () => ({
      actions: {
        onRename: (row: LibraryItem) => latest.current.actions.onRename(row),
        onEdit: (row: LibraryItem) => latest.current.actions.onEdit(row),
        onTag: (row: LibraryItem) => latest.current.actions.onTag(row),
        onShare: (row: LibraryItem) => latest.current.actions.onShare(row),
        onMoveToTrash: (row: LibraryItem) => latest.current.actions.onMoveToTrash(row),
        onPlay: (row: LibraryItem) => latest.current.actions.onPlay(row),
        playedMs: (id: string) => latest.current.actions.playedMs(id),
        playing,
        running,
        onQueue: (row: LibraryItem, place: QueuePlace) => latest.current.actions.onQueue(row, place),
      },
      toggle: (id: string) => latest.current.toggle(id),
    }),
    [playing, running],
  );
}
