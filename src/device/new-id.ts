import { uuidV7 } from '#base/uuid-v7.ts';

/** A new UUIDv7, which sorts after those created before it. */
export const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));
