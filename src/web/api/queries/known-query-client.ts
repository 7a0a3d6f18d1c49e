import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '#base/store.ts';

/**
 * The one cache of what the server said; null until the first part that asks the server for something has
 * brought it along. It is no part of the first screen: nothing there is needed to begin a take.
 */
export const knownQueryClient = createStore<QueryClient | null>(null);
