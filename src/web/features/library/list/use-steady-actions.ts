import { useLayoutEffect, useMemo, useRef } from 'react';
import type { LibraryRow } from './library-items.ts';
import type { RowActions } from './row-controls.tsx';
import type { QueuePlace } from './row-play.tsx';

interface Doing {
  actions: RowActions;
  toggle: (id: string) => void;
}

/**
 * The same functions at every drawing, which do what the last drawing was given: rows that did not change
 * need not be drawn for them.
 */
export function useSteadyActions(given: Doing): Doing {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  const { playing, running } = given.actions;
  return useMemo(
    () => ({
      actions: {
        onRename: (row: LibraryRow) => latest.current.actions.onRename(row),
        onEdit: (row: LibraryRow) => latest.current.actions.onEdit(row),
        onTag: (row: LibraryRow) => latest.current.actions.onTag(row),
        onMoveToTrash: (row: LibraryRow) => latest.current.actions.onMoveToTrash(row),
        onPlay: (row: LibraryRow) => latest.current.actions.onPlay(row),
        heardMs: (id: string) => latest.current.actions.heardMs(id),
        playing,
        running,
        onQueue: (row: LibraryRow, place: QueuePlace) => latest.current.actions.onQueue(row, place),
      },
      toggle: (id: string) => latest.current.toggle(id),
    }),
    [playing, running],
  );
}
