import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { RecordingPage } from '#contract/recordings.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { recordingKeys } from '#web/api/query-client.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';

export interface CachedChange {
  id: string;
  /** What the lists show at once. */
  page: (page: RecordingPage) => RecordingPage;
  /** What the recording's own page shows at once. */
  one?: (known: { title: string }) => { title: string };
  act: () => Promise<unknown>;
}

/** Changes what is shown, then the thing itself; both are read again afterwards, and a failure is told. True when it went through. */
export function useCachedChange(): (change: CachedChange) => Promise<boolean> {
  const client = useQueryClient();
  const messageOf = useErrorMessage();
  return async ({ id, page, one, act }) => {
    const oneKey = recordingKeys.one(id);
    client.setQueriesData<InfiniteData<RecordingPage>>({ queryKey: recordingKeys.lists }, (data) => data && { ...data, pages: data.pages.map(page) });
    if (one) client.setQueryData<{ title: string }>(oneKey, (known) => known && one(known));
    try {
      await act();
      return true;
    } catch (error) {
      showToast({ message: messageOf(error), tone: 'danger' });
      return false;
    } finally {
      void client.invalidateQueries({ queryKey: recordingKeys.lists });
      void client.invalidateQueries({ queryKey: oneKey, exact: true });
    }
  };
}
