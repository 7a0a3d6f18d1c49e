const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Creates a UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, then random bits, so that ids sort by creation.
 * @param nowMs the instant to encode
 * @param random sixteen random bytes; the version and variant bits are overwritten
 */
export function uuidV7(nowMs: number, random: Uint8Array): string {
  if (random.length < 16) throw new TypeError(`uuidV7 needs 16 random bytes, received ${random.length}`);
  const bytes = random.slice(0, 16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(nowMs / 2 ** 32));
  view.setUint32(2, nowMs % 2 ** 32);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const text = Array.from(bytes, (byte) => hex[byte]).join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
