import { createStore } from '#base/store.ts';
import { sessionState } from '#web/api/session-state.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

const isWanted = createStore(false);

const isRunning = (): boolean => ['playing', 'waiting'].includes(player.getSnapshot().status);

player.subscribe(() => {
  if (player.getSnapshot().track === null) isWanted.set(false);
  else if (isRunning()) isWanted.set(true);
});

// What belongs to an account is not heard without it; what lies on this device is.
sessionState.subscribe(() => {
  if (
    sessionState.getSnapshot().status === 'signed-out' &&
    player.getSnapshot().track?.url.startsWith('/api/')
  )
    player.close();
});

/**
 * Whether the bar is to be seen where the recording's own screen is not: from the first sound until it is
 * closed.
 */
export const miniState = {
  subscribe: isWanted.subscribe,
  getSnapshot: isWanted.getSnapshot,
  /** The recording's own screen is there, or has just gone: what is paused then stays there. */
  settle: (): void => isWanted.set(isRunning()),
};
