import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what has to be read again, and hashes what only has to be recognised, under the one secret of this
 * installation.
 */
export interface SecretBox {
  /** AES-256-GCM. `purpose` is authenticated: what was sealed for one purpose opens for no other. */
  seal(text: string, purpose: string): string;
  /**
   * Null where it was sealed under another secret (the installation's own may be lost) or purpose, or was
   * changed.
   */
  open(sealed: string, purpose: string): string | null;
  /** HMAC-SHA-256, URL-safe base 64: for what is too short or too well known for a plain hash. */
  hash(text: string, purpose: string): string;
}

/**
 * Derives the keys (HKDF-SHA-256, RFC 5869) and keeps them.
 * @param secret at least 32 random bytes
 */
export function createSecretBox(secret: Uint8Array): SecretBox {
  if (secret.length < 32) throw new RangeError('the secret needs at least 32 bytes');
  const keyFor = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `earshot ${use}`, 32));
  const [sealKey, hashKey] = [keyFor('seal'), keyFor('hash')];
  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([
          decipher.update(bytes.subarray(nonceBytes + tagBytes)),
          decipher.final(),
        ]).toString('utf8');
      } catch {
        return null;
      }
    },
    hash: (text, purpose) => createHmac('sha256', hashKey).update(`${purpose} ${text}`).digest('base64url'),
  };
}
