import type { RecordingPage } from '#contract/recordings.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { changePages } from '#web/api/queries/cached-pages.ts';
import { useUndoable } from './use-undoable.ts';

export interface CachedChange {
  /** The list pages after the change, shown immediately. */
  pages: (pages: readonly RecordingPage[]) => RecordingPage[];
  /** The recording whose details change too, and the details to show immediately. */
  one?: { id: string; change?: (known: { title: string }) => { title: string } };
  act: () => Promise<unknown>;
}

/**
 * Updates the cache, then performs the change and refetches. A failure reverts the cache and is shown. Resolves to
 * true on success.
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
