import { player } from './shared-player.ts';

/** The page's player, as a waveform sees it. */
export const sharedPlayhead = {
  positionMs: () => player.positionMs(),
  seek: (toMs: number) => player.seek(toMs),
  subscribe: player.subscribe,
  isRunning: () => player.getSnapshot().status === 'playing',
};
