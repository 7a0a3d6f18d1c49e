import { prefetchRecordingPages, useRecordingPages, type RecordingPages } from '#web/api/lists/use-recording-pages.ts';
import { printView, type LibraryView } from '../view/library-view.ts';
import { listQueryOf } from '../view/list-query.ts';

const wishOf = (view: LibraryView) => ({ name: printView(view), query: () => listQueryOf(view, new Date()) });

/** Has the first of a view's recordings at hand before it is drawn. */
export const prefetchRecordings = (view: LibraryView): Promise<void> => prefetchRecordingPages(wishOf(view));

/** The server's recordings of a view; asks nothing while `isEnabled` is false. */
export function useRecordings({ view, isEnabled, limit }: { view: LibraryView; isEnabled: boolean; limit?: number }): RecordingPages {
  return useRecordingPages({ ...wishOf(view), isEnabled, ...(limit === undefined ? {} : { limit }) });
}
