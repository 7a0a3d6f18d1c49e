import { lostStandingOf, ownerStandings } from '#device/takes/owner-standings.ts';
import { viewer } from '#device/takes/viewer.ts';
import { sessionState } from '#web/api/session-state.ts';

/**
 * The owner of a take that is started now: the signed-in user or, after a session that ended elsewhere, the user who
 * is still at this tab. Null: it joins the account of the next user who signs in here, because nobody can sign in to a
 * deleted account.
 */
export function ownerOfNewTake(): string | null {
  const { user, isLeaving } = sessionState.getSnapshot();
  const ownerId = user !== null && !isLeaving ? user.id : viewer.getSnapshot().tab.ownerId;
  return lostStandingOf(ownerStandings.getSnapshot(), ownerId) === 'deleted' ? null : ownerId;
}
