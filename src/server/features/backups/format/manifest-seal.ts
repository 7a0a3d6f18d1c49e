import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';

/** Authenticates the manifests of the installations that have one secret key. */
export interface ManifestSeal {
  /** Identifies the secret key. */
  keyFingerprint: string;
  /** Returns the HMAC-SHA-256 of a content, in hexadecimal. */
  macOf(content: string): string;
  isMacOf(mac: string, content: string): boolean;
}

/** Derives a key of its own for manifests from the secret key, with HKDF-SHA-256 (RFC 5869). */
export function manifestSealOf(secretKey: Uint8Array): ManifestSeal {
  const key = Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), 'earshot backup manifest', 32));
  const digestOf = (content: string): Buffer => createHmac('sha256', key).update(content).digest();
  return {
    keyFingerprint: fingerprintOf(secretKey),
    macOf: (content) => digestOf(content).toString('hex'),
    isMacOf(mac, content) {
      const [given, expected] = [Buffer.from(mac, 'hex'), digestOf(content)];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
