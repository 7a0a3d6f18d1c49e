import { createStore } from '#base/store.ts';

/**
 * Whether something else listens to the microphone now: some systems give sound only to the one that opened
 * it last.
 */
export const levelCheckHold = createStore(false);
