import { createStore } from '#base/store.ts';
import type { OnAir } from '#web/recordings/on-air/on-air.ts';
import type { Audience } from '#web/recordings/on-air/use-on-air.ts';

interface LastAudience {
  takeId: string;
  ownerId: string;
  audience: Audience;
}

const store = createStore<LastAudience | null>(null);

/** A number of listeners that nobody counts any more is not known. */
const uncounted = (onAir: OnAir | null): OnAir | null => onAir && { ...onAir, listeningCount: null };

/**
 * Who could hear the take of this page when its owner was last signed in here. Links outlive a session, and so does the
 * upload of a running take, so its sound may still be given out.
 */
export const lastAudience = {
  subscribe: store.subscribe,
  getSnapshot: store.getSnapshot,
  note(takeId: string, ownerId: string, { onAir, isShared }: Audience): void {
    store.set({ takeId, ownerId, audience: { onAir: uncounted(onAir), isShared } });
  },
};
