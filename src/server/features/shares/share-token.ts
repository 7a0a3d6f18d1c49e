import { randomBytes } from 'node:crypto';
import { hashOf } from '#server/storage/hash-of.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';

/** Base58 as Bitcoin writes it: no 0, O, I and l, which look alike, and nothing that mail programs cut off. */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const tokenBytes = 16;
const tokenLength = 22;

/** Encodes the bytes as one number, always with the same length: 22 digits hold every number of 128 bits. */
export function base58Of(bytes: Uint8Array): string {
  let rest = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let text = '';
  for (let digits = 0; digits < tokenLength; digits += 1) {
    text = (alphabet[Number(rest % 58n)] ?? '') + text;
    rest /= 58n;
  }
  return text;
}

const purposeOf = (shareId: string): string => `share ${shareId}`;

/** A new token of a link as it is stored: its hash for looking it up, and encrypted for its owner. */
export function newShareToken(
  secrets: SecretBox,
  shareId: string,
): { token: string; token_hash: string; token_box: string } {
  const token = base58Of(randomBytes(tokenBytes));
  return { token, token_hash: hashOf(token), token_box: secrets.seal(token, purposeOf(shareId)) };
}

/** Decrypts a stored token. Null if it was encrypted with another key: the link still opens. */
export const openShareToken = (
  secrets: SecretBox,
  { id, token_box: box }: { id: string; token_box: string },
): string | null => secrets.open(box, purposeOf(id));
