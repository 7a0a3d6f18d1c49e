import type { RecordingPage } from '#contract/recordings.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { changePages } from '#web/api/queries/cached-pages.ts';
import { useUndoable } from './use-undoable.ts';

export interface CachedChange {
  /** What the lists show at once. */
  pages: (pages: readonly RecordingPage[]) => RecordingPage[];
  /** The recording whose own page changes too, and what that shows at once. */
  one?: { id: string; change?: (known: { title: string }) => { title: string } };
  act: () => Promise<unknown>;
}

/**
 * Changes what is shown, then the thing itself; both are read again afterwards, and a failure is told. True
 * when it went through.
 */
export function useCachedChange(): (change: CachedChange) => Promise<boolean> {
  const attempt = useUndoable();
  return async ({ pages, one, act }) => {
    const done = await attempt({
      show: (client) => {
        changePages(client, pages);
        if (one?.change)
          client.setQueryData<{ title: string }>(
            recordingKeys.one(one.id),
            (known) => known && one.change?.(known),
          );
      },
      act,
      shown: recordingKeys.pages,
      refreshed: [recordingKeys.lists, recordingKeys.library, ...(one ? [recordingKeys.one(one.id)] : [])],
    });
    return done !== null;
  };
}
