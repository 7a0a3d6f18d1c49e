import { limits } from '#contract/limits.ts';
import type { Share } from '#contract/shares.ts';
import {
  declineAccessRequest,
  deleteAnsweredRequests,
  waitingRequestsOf,
} from '#server/features/shares/access-requests.ts';
import { addUser, updateShare, usersOfShares } from '#server/features/shares/shares-store.ts';
import type { SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { rejectField } from '#server/http/validation.ts';
import { announceChange } from './change-share.ts';
import { ownShare, presentOwnShare, type SharesDeps } from './shares-deps.ts';

interface Answer {
  shareId: string;
  userId: string;
  isAllowed: boolean;
}

/**
 * Answers the request of a user for access to a link. Allowing it adds the user to the people of the link.
 * @throws not-found (404) if no request waits; already-revoked (409), share-changed (409); validation (422) if the link
 * is for as many people as it can be
 */
export async function answerAccess(
  deps: SharesDeps,
  { userId: ownerId }: SessionPrincipal,
  { shareId, userId, isAllowed }: Answer,
): Promise<Share> {
  const { database, clock } = deps;
  const nowMs = clock.nowMs();
  const share = await database.transaction(async (transaction) => {
    // Simultaneous answers are based on each other.
    await database.lockUser(transaction, ownerId);
    const found = await ownShare(transaction, ownerId, shareId);
    if (found.ended_at !== null) throw new ProblemError('already-revoked');
    const waiting = (await waitingRequestsOf(transaction, [shareId])).get(shareId) ?? [];
    const request = waiting.find((other) => other.userId === userId);
    if (request === undefined) throw new ProblemError('not-found');
    if (!isAllowed) {
      await declineAccessRequest(transaction, { shareId, userId }, nowMs);
      return found;
    }
    if (!(await updateShare(transaction, found, { updated_at: nowMs })))
      throw new ProblemError('share-changed');
    const people = (await usersOfShares(transaction, [shareId])).get(shareId) ?? [];
    if (people.length >= limits.share.people) throw rejectField('/people', 'too-many');
    if (!(await addUser(transaction, shareId, request))) throw rejectField('/people', 'taken');
    await deleteAnsweredRequests(transaction, shareId);
    return found;
  });
  if (isAllowed) await announceChange(deps, share);
  return presentOwnShare(deps, ownerId, shareId);
}
