/** What every page of Ogg begins with. The server ends a take whose first bytes have no mark of audio (`no-audio.ts`). */
export const pageStart = Buffer.from('OggS\0', 'latin1');

/** Bytes that the server stores as the sound of a take, although no decoder reads them. */
export const soundBytes = (sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, pageStart);

/** Changes the first bytes, so that the server stores the others as the sound of a take. */
export function asSound(bytes: Buffer): Buffer {
  pageStart.copy(bytes);
  return bytes;
}
