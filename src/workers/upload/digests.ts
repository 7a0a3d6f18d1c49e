import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { limits } from '#contract/limits.ts';

/** `Content-Digest` of one request body (RFC 9530 §2). */
export async function contentDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}

/** The SHA-256 in a digest field (RFC 9530) in hexadecimal; null if it has none. */
export function hexOfDigestField(field: string | null): string | null {
  const [, base64] = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(field ?? '') ?? [];
  return base64 === undefined
    ? null
    : bytesToHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/**
 * SHA-256 of a growing file, so that only the last bytes are left to hash at its end. WebCrypto cannot hash
 * incrementally.
 */
export class GrowingDigest {
  readonly #read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array>;
  #hash = sha256.create();
  #hashedBytes = 0;

  constructor(read: (offsetBytes: number, sizeBytes: number) => Promise<Uint8Array>) {
    this.#read = read;
  }

  /** Hashes bytes that are in memory anyway. Bytes that are not next in order are ignored and read by `hexOf`. */
  offer(offsetBytes: number, bytes: Uint8Array): void {
    if (offsetBytes !== this.#hashedBytes) return;
    this.#hash.update(bytes);
    this.#hashedBytes += bytes.length;
  }

  /** The hash of the first `sizeBytes` bytes in hexadecimal. */
  async hexOf(sizeBytes: number): Promise<string> {
    if (this.#hashedBytes > sizeBytes) this.restart();
    while (this.#hashedBytes < sizeBytes) {
      const bytes = await this.#read(
        this.#hashedBytes,
        Math.min(limits.appendSizeBytes, sizeBytes - this.#hashedBytes),
      );
      if (bytes.length === 0) throw new RangeError(`the file ends before ${sizeBytes} bytes`);
      this.offer(this.#hashedBytes, bytes);
    }
    return bytesToHex(this.#hash.clone().digest());
  }

  /** Discards the hash so far. */
  restart(): void {
    this.#hash = sha256.create();
    this.#hashedBytes = 0;
  }
}
