import { rememberOwnerName } from '#device/takes/owner-names.ts';
import { setTabOwner, viewer } from '#device/takes/viewer.ts';
import { userScope } from './user-scope.ts';
import { sessionState } from './session-state.ts';

/**
 * Follows who is at this tab: the signed-in user and, after a session that ended elsewhere, still that user, until
 * `leaveTab` or the sign-in of another user. Call once per page.
 */
export function followTabOwner(): void {
  const update = () => {
    const { user, isLeaving } = sessionState.getSnapshot();
    if (user === null || isLeaving) return;
    rememberOwnerName(user.id, user.email ?? user.displayName);
    setTabOwner(user.id);
  };
  sessionState.subscribe(update);
  update();
}

/** The user has signed out in this browser. */
export const leaveTab = (): void => setTabOwner(null);

/** After a session that ended elsewhere: whoever is at this tab is not the user of that session. */
export function denyTabOwner(): void {
  leaveTab();
  userScope.follow(null, true);
}

/**
 * The owner of a take that is started now: the signed-in user or, after a session that ended elsewhere, the user who
 * is still at this tab. Null: it joins the account of the next user who signs in here.
 */
export function ownerOfNewTake(): string | null {
  const { user, isLeaving } = sessionState.getSnapshot();
  return user !== null && !isLeaving ? user.id : viewer.getSnapshot().tab.ownerId;
}
