import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { second } from '#base/duration.ts';

const stepMs = 30 * second;
const digits = 6;
/** 160 bits, the length of the hash (RFC 4226 §4, R6). */
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding (RFC 4648 §6). */
export function base32Of(bytes: Uint8Array): string {
  let [text, buffer, bits] = ['', 0, 0];
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet.charAt((buffer >>> (bits - 5)) & 31);
    buffer &= 255;
  }
  return bits > 0 ? text + alphabet.charAt((buffer << (5 - bits)) & 31) : text;
}

/** A new secret to share with an authenticator app. */
export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

/** The time step of an instant (RFC 6238 §4). */
export const totpStepAt = (unixMs: number): number => Math.floor(unixMs / stepMs);

/** The six-digit code of a time step: HOTP (RFC 4226 §5.3) with HMAC-SHA-1. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

/**
 * Finds the time step of a code: the current one, or the previous one for a user who types slowly or a clock that
 * is up to 30 s late. Returns null if the code matches neither, or if its step is not later than `lastStep`, the
 * step of the last accepted code.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  at: { nowMs: number; lastStep: number },
): number | null {
  const present = totpStepAt(at.nowMs);
  const given = Buffer.from(code);
  const fits = (step: number): boolean => {
    const expected = Buffer.from(totpCode(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return [present, present - 1].find((step) => step > at.lastStep && fits(step)) ?? null;
}

/** The URL in an authenticator app's QR code (the `otpauth://` key URI format). */
export function otpauthUrl(secret: Uint8Array, account: string): string {
  const issuer = 'Earshot';
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
