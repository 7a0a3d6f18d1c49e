import { uuidV7 } from '#base/uuid-v7.ts';

/** A new id, sorted after those made before. */
export const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
