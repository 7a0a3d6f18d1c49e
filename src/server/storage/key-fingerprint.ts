import { createHmac } from 'node:crypto';

/** Long enough to distinguish keys, without revealing anything about them. */
const fingerprintDigits = 16;

/** Identifies a secret key without revealing anything about it. */
export const fingerprintOf = (key: Uint8Array): string =>
  createHmac('sha256', key).update('fingerprint').digest('hex').slice(0, fingerprintDigits);
