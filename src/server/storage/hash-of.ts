import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text or of bytes, in hexadecimal. The database stores it for secrets and files. */
export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
