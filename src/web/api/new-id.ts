import { uuidV7 } from '#base/uuid-v7.ts';

/** A new id, later in order than those made before. */
export const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
