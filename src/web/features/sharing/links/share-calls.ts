import type { BodyOf } from '#contract/endpoint.ts';
import type { Api } from '#contract/api.ts';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { queryClient, shareKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from '#web/api/queries/optimistic-change.ts';
import type { ShareChanges } from '#web/features/sharing/terms/share-form.ts';
import type { Links } from './share-queries.ts';

/**
 * Shows a link as the server has it, in every list that has it. A list that is being read may arrive without the
 * change, so it is read again.
 */
function showStored(share: Share): Share {
  const lists = [shareKeys.all, shareKeys.active, shareKeys.ofRecording(share.recordingId)];
  for (const queryKey of lists) {
    const list = queryClient.getQueryState<Links>(queryKey);
    if (list === undefined) continue;
    const isListed = queryKey !== shareKeys.active || share.state === 'active';
    queryClient.setQueryData<Links>(
      queryKey,
      (links) =>
        links && {
          ...links,
          items: isListed ? withShare(links.items, share) : links.items.filter(({ id }) => id !== share.id),
        },
      // The rest of the list is as old as before.
      { updatedAt: list.dataUpdatedAt },
    );
    if (list.fetchStatus !== 'idle') readAgain(queryClient, queryKey);
  }
  return share;
}

/** The links with one of them replaced, or added as the newest. */
const withShare = (items: readonly Share[], share: Share): Share[] =>
  items.some(({ id }) => id === share.id)
    ? items.map((known) => (known.id === share.id ? share : known))
    : [share, ...items];

/** Refetches the links after a failure, so that the screens show what the server has. */
async function orReadAgain<Reply>(act: Promise<Reply>): Promise<Reply> {
  try {
    return await act;
  } catch (error) {
    readAgain(queryClient, shareKeys.everything);
    throw error;
  }
}

/**
 * Creates a link. Repeating a call with the same id returns the existing link.
 * @throws ApiError
 */
export const createLink = async (recordingId: string, body: NewShare): Promise<Share> =>
  showStored(await orReadAgain(call('createShare', { params: { recordingId }, body })));

/**
 * Changes a link, unless it has changed since: nothing is changed then.
 * @throws ApiError, with `share-changed` if the link has a later revision
 */
export const changeLink = async ({ id, revision }: Pick<Share, 'id' | 'revision'>, changes: ShareChanges) =>
  showStored(
    await orReadAgain(call('changeShare', { params: { shareId: id }, body: { revision, ...changes } })),
  );

/**
 * Ends a link permanently. Repeatable.
 * @throws ApiError
 */
export const revokeLink = async (shareId: string): Promise<Share> =>
  showStored(await orReadAgain(call('revokeShare', { params: { shareId } })));

/**
 * Gives a link a new address. The old one ends.
 * @throws ApiError
 */
export const renewLinkAddress = async (shareId: string): Promise<Share> =>
  showStored(await orReadAgain(call('renewShareAddress', { params: { shareId } })));

/**
 * Answers the request of a user for access to a link.
 * @throws ApiError, with `not-found` if it was answered elsewhere
 */
export const answerRequest = async (
  params: { shareId: string; userId: string },
  body: BodyOf<Api['answerShareAccess']>,
): Promise<Share> => showStored(await orReadAgain(call('answerShareAccess', { params, body })));

/**
 * Ends all links of the user, or those of a recording or a recipient.
 * @returns how many
 * @throws ApiError
 */
export async function revokeLinks(which: BodyOf<Api['revokeShares']>): Promise<number> {
  try {
    return (await call('revokeShares', { body: which })).revokedCount;
  } finally {
    readAgain(queryClient, shareKeys.everything);
  }
}

/** Whether a change was rejected because the link was changed elsewhere. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'share-changed';
