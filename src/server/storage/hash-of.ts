import { createHash } from 'node:crypto';

/** The SHA-256 of a text or of bytes, in hexadecimal: what the database holds of a secret, and of a file. */
export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
