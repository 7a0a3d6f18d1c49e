import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { ApiError, isUnreached } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { changePages, withChanged } from '#web/api/queries/cached-pages.ts';
import { queryClient, recordingKeys } from '#web/api/queries/query-client.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { onViewerChange, viewerId } from '#web/api/viewer.ts';
import { senderId, sessionState } from '#web/api/session-state.ts';
import { backOffMs } from '#base/back-off.ts';
import { readAgain } from '#web/api/queries/shown-change.ts';
import { messageOf } from '#web/api/error-messages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { PendingStars } from './pending-stars.ts';
import { storedStars } from './stored-stars.ts';

/** The lists show what the server has now, until they are read again. */
function noteSaved(recordingId: string, isFavourite: boolean): void {
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

const isServerError = (error: unknown): boolean =>
  error instanceof ApiError && (error.status >= 500 || error.status === 429);

/** A server that can't be reached or is in trouble, a session that ended: none of that is about the star. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status === 0 ||
  error.status === 401 ||
  isUnreached(error) ||
  isServerError(error);

let failures = 0;

/**
 * A server in trouble is asked again. One that can't be reached, or asks for a sign-in, is asked once that
 * has changed.
 */
async function send(recordingId: string, isFavourite: boolean): Promise<void> {
  try {
    await call('setFavourite', { params: { recordingId }, body: { isFavourite } });
    failures = 0;
  } catch (error) {
    if (isServerError(error)) setTimeout(sendPendingStars, backOffMs(failures));
    failures += 1;
    throw error;
  }
}

const pending = new PendingStars({
  ...storedStars,
  viewerId,
  senderId,
  send,
  isPassing,
  onSaved: noteSaved,
  onRejected: announceRejection,
  alone: (work) => navigator.locks.request('earshot favourites', work),
});

/** Sends what was starred without a connection, also on a page that shows no star. */
export function sendPendingStars(): void {
  pending.refresh();
  void pending.send();
}

onReachableAgain(sendPendingStars);
sessionState.subscribe(sendPendingStars);
onViewerChange(() => pending.refresh());
storedStars.onChange(() => pending.refresh());
pending.refresh();

/** What is shown before the server has it. */
export const pendingStars = pending.stars;

/**
 * Stars a recording, or removes the star: at once on this device, on the server as soon as it can be reached.
 */
export const setStar = (recordingId: string, isFavourite: boolean): void => {
  void pending.set(recordingId, isFavourite);
};

/** Of these recordings nothing is pending any more: they were starred all at once. */
export const dropPendingStars = (recordingIds: readonly string[]): void => pending.forget(recordingIds);
