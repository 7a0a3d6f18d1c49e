import { createStore } from '#base/store.ts';

/** What another tab of this browser says of the take that it records. */
export interface TakeOfOtherTab {
  takeId: string;
  ownerId: string | null;
  capturedMs: number;
  isPaused: boolean;
}

/** The take that another tab records now; null if none does, as far as this tab was told. */
export const takeOfOtherTab = createStore<TakeOfOtherTab | null>(null);

/** What starts a second take in this tab once the user has confirmed it; null if that was not asked. */
export const secondTake = createStore<(() => void) | null>(null);
