import { rememberOwnerName } from '#device/takes/owner-names.ts';
import { sessionState } from '#web/api/session-state.ts';

/** Remembers the masked name of the signed-in user, for who sees later that takes of that account are here. */
export function followOwnerName(): void {
  const update = () => {
    const { user, isLeaving } = sessionState.getSnapshot();
    if (user !== null && !isLeaving) rememberOwnerName(user.id, user.email ?? user.displayName);
  };
  sessionState.subscribe(update);
  update();
}
