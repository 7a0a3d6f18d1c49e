import { createStore } from '#base/store.ts';

/**
 * Opens the sheet that shares the running take; null until app/lazy-overlays.tsx has connected sharing, which the first
 * screen does not load.
 */
export const takeSharing = createStore<(() => void) | null>(null);
