import { createStore } from '#base/store.ts';
import type { DelayedCopy } from '#web/ui/dom/delayed-copy.ts';

/**
 * Shares the running take, with a copy that was started during the press; null until app/lazy-overlays.tsx has
 * connected sharing, which the first screen does not load.
 */
export const takeSharing = createStore<((copy: DelayedCopy) => void) | null>(null);
