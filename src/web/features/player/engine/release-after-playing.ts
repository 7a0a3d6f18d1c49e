import { player } from './shared-player.ts';

/** Calls `release` once the player has no track of this URL any more: now, if it has none. */
export function releaseAfterPlaying(url: string, release: () => void): void {
  const isInPlayer = () => player.getSnapshot().track?.url === url;
  if (!isInPlayer()) return release();
  const stop = player.subscribe(() => {
    if (isInPlayer()) return;
    stop();
    release();
  });
}
