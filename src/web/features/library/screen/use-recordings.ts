import {
  prefetchRecordingPages,
  useRecordingPages,
  type RecordingPages,
} from '#web/api/queries/use-recording-pages.ts';
import { useEffect } from 'react';
import { msg } from '@lingui/core/macro';
import { rememberList } from '#web/api/last-list.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { printView, wholeLibrary, type LibraryView } from '#web/features/library/view/library-view.ts';
import { listQueryOf } from '#web/features/library/view/list-query.ts';

const optionsOf = (view: LibraryView) => ({
  name: printView(view),
  query: () => listQueryOf(view, new Date()),
  what: msg`Library`,
});

/** Prefetches the first recordings of a view before it renders. */
export const prefetchRecordings = (view: LibraryView): Promise<void> =>
  prefetchRecordingPages(optionsOf(view));

/** The server's recordings of a view. Sends no request while `isEnabled` is false. */
export function useRecordings({
  view,
  isEnabled,
  limit,
}: {
  view: LibraryView;
  isEnabled: boolean;
  limit?: number;
}): RecordingPages {
  const pages = useRecordingPages({
    ...optionsOf(view),
    isEnabled,
    ...(limit === undefined ? {} : { limit }),
  });
  useRemembered(view, pages);
  return pages;
}

/** Stores the newest recordings for visits without a connection. */
function useRemembered(view: LibraryView, { recordings, total, hasList, isOfBefore }: RecordingPages): void {
  const userId = useViewerId();
  const isNewest = hasList && !isOfBefore && printView(view) === printView(wholeLibrary);
  useEffect(() => {
    if (isNewest && userId !== null) rememberList(userId, { recordings, total });
  }, [isNewest, userId, recordings, total]);
}
