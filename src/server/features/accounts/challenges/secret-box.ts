import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts values that must be read again, and hashes values that only need to be recognised, with keys derived
 * from the installation's secret.
 */
export interface SecretBox {
  /** AES-256-GCM. `purpose` is authenticated data: text sealed for one purpose can't be opened for another. */
  seal(text: string, purpose: string): string;
  /**
   * Returns null if the text was sealed for another purpose or with another secret (`secret.key` may have been
   * lost), or was tampered with.
   */
  open(sealed: string, purpose: string): string | null;
  /** HMAC-SHA-256 in base64url, for values too short or too predictable for a plain hash. */
  hash(text: string, purpose: string): string;
}

/**
 * Derives the keys with HKDF-SHA-256 (RFC 5869).
 * @param secret at least 32 random bytes
 * @throws RangeError if the secret is shorter
 */
export function createSecretBox(secret: Uint8Array): SecretBox {
  if (secret.length < 32) throw new RangeError('the secret must have at least 32 bytes');
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
