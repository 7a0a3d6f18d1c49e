import { request } from '#web/api/request.ts';
import { connectMediaSession } from './media-session.ts';
import { Player } from './player.ts';

const storageKey = 'volume';

/** Storage may be refused (private windows); then the volume lasts as long as the page. */
const volume = {
  read(): number {
    try {
      const kept = Number.parseFloat(localStorage.getItem(storageKey) ?? '');
      return kept >= 0 && kept <= 1 ? kept : 1;
    } catch {
      return 1;
    }
  },
  write(value: number): void {
    try {
      localStorage.setItem(storageKey, String(value));
    } catch {
      // Not kept, and nothing depends on it.
    }
  },
};

/** The page's one player. */
export const player = new Player({
  createElement: () => new Audio(),
  probe: async (url, atByte) => (await request(url, { headers: { range: `bytes=${atByte}-${atByte + 1}` } })).ok,
  requestFrame: (callback) => requestAnimationFrame(callback),
  volume,
});

connectMediaSession(player);
