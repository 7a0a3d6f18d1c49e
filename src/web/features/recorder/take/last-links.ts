import { createStore } from '#base/store.ts';
import type { Share } from '#contract/shares.ts';

interface LastLinks {
  takeId: string;
  ownerId: string;
  links: readonly Share[];
}

const store = createStore<LastLinks | null>(null);

/**
 * The links of the take of this page when its owner was last signed in here. Links outlive a session, and so does the
 * upload of a running take unless its owner signs out, so its sound may still be given out.
 */
export const lastLinks = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,
  note(takeId: string, ownerId: string, links: readonly Share[]): void {
    const own = links.filter(({ recordingId }) => recordingId === takeId);
    // A number of listeners that nobody counts any more is not known.
    store.set({ takeId, ownerId, links: own.map((link) => ({ ...link, listeningCount: null })) });
  },
};
