import type { QueryClient } from '@tanstack/react-query';
import { createStore } from '#base/store.ts';

/**
 * The one cache of server data; null until the first module that makes requests has loaded it. The first screen
 * excludes it, because starting a take does not need it.
 */
export const knownQueryClient = createStore<QueryClient | null>(null);
