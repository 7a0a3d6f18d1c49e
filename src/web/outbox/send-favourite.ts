import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { EntryOf } from '#device/outbox/outbox-entry.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { call } from '#web/api/call.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { changePages, withChanged } from '#web/api/queries/cached-pages.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from '#web/api/queries/optimistic-change.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { resultOrRejection } from './send-result.ts';

/** Updates the lists to the server's state until they are loaded again. */
function showSaved(recordingId: string, isFavourite: boolean): void {
  changePages(queryClient, (pages) =>
    withChanged(pages, new Set([recordingId]), (item) => ({ ...item, isFavourite })),
  );
  queryClient.setQueryData<object>(
    recordingKeys.one(recordingId),
    (known) => known && { ...known, isFavourite },
  );
  for (const queryKey of [recordingKeys.lists, recordingKeys.library]) readAgain(queryClient, queryKey);
}

function announceRejection(error: unknown): void {
  showFailure(() => {
    const reason = i18n._(messageOf(error));
    return i18n._(msg`Couldn’t save the favourite. ${reason}`);
  });
}

/**
 * Sends a star. If the server rejects it, the entry is removed, so that the lists show the server's state, and a
 * message says why.
 */
export async function sendFavourite({ userId, target, payload }: EntryOf<'favourite'>): Promise<SendResult> {
  try {
    await call('setFavourite', { params: { recordingId: target }, body: payload, hold: { owner: userId } });
    showSaved(target, payload.isFavourite);
    return 'settled';
  } catch (error) {
    return resultOrRejection(error, announceRejection);
  }
}
