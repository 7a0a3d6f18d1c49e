import { request } from '#web/api/request.ts';
import { Boost } from './boost.ts';
import { storedGapChoice, storedVolume } from './player-preferences.ts';
import { connectMediaSession } from './media-session.ts';
import { Player } from './player.ts';

/** How much louder than recorded the page's player is. */
export const boost = new Boost();

/** The page's one player. */
export const player = new Player({
  createElement: () => boost.attach(new Audio()),
  probe: async (url, atByte) =>
    (await request(url, { headers: { range: `bytes=${atByte}-${atByte + 1}` } })).ok,
  requestFrame: (callback) => requestAnimationFrame(callback),
  volume: storedVolume,
  skipsGaps: storedGapChoice,
});

connectMediaSession(player);

/** The page's player, as a waveform sees it. */
export const sharedPlayhead = {
  positionMs: () => player.positionMs(),
  seek: (toMs: number) => player.seek(toMs),
  subscribe: player.subscribe,
  isRunning: () => player.getSnapshot().status === 'playing',
};
