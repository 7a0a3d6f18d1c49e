import { useRecordingPages, type RecordingPages } from '#web/api/lists/use-recording-pages.ts';
import { printView, type LibraryView } from '../view/library-view.ts';
import { listQueryOf } from '../view/list-query.ts';

/** The server's recordings of a view; asks nothing while `isEnabled` is false. */
export function useRecordings({ view, isEnabled, limit }: { view: LibraryView; isEnabled: boolean; limit?: number }): RecordingPages {
  return useRecordingPages({ name: printView(view), query: () => listQueryOf(view, new Date()), isEnabled, ...(limit === undefined ? {} : { limit }) });
}
