import { createStore } from '#base/store.ts';
import { sessionState } from '#web/api/session-state.ts';
import { isServerTrack } from '#web/features/player/playback/resume.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

const isWanted = createStore(false);

const isRunning = (): boolean => ['playing', 'waiting'].includes(player.getSnapshot().status);

player.subscribe(() => {
  if (player.getSnapshot().track === null) isWanted.set(false);
  else if (isRunning()) isWanted.set(true);
});

// Recordings of an account stop when it is signed out; those on this device continue.
sessionState.subscribe(() => {
  const { track } = player.getSnapshot();
  if (sessionState.getSnapshot().status === 'signed-out' && track && isServerTrack(track)) player.close();
});

/** Whether the mini player shows on other pages: from the first sound until it is closed. */
export const miniState = {
  subscribe: isWanted.subscribe,
  getSnapshot: isWanted.getSnapshot,
  /** The recording's own screen is there, or has just gone: what is paused then stays there. */
  settle: (): void => isWanted.set(isRunning()),
};
