/**
 * RFC 3533 §6 field 7: generator polynomial 0x04c11db7, initial value and final XOR 0, bits not reflected.
 */
const polynomial = 0x04c1_1db7;
const bytesAtOnce = 4;

/**
 * Four tables of 256: table k has the remainder of a byte followed by k more bytes, so that four bytes take one
 * step.
 */
const tables = new Int32Array(bytesAtOnce * 256);
for (let byte = 0; byte < 256; byte++) {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder < 0 ? polynomial : 0);
  tables[byte] = remainder;
}
for (let entry = 256; entry < tables.length; entry++) {
  const shorter = tables[entry - 256] ?? 0;
  tables[entry] = (shorter << 8) ^ (tables[shorter >>> 24] ?? 0);
}

/**
 * The CRC-32 of Ogg (RFC 3533 §6), unsigned.
 * @param seed CRC of the preceding bytes, so that a page can be checked in pieces
 */
export function oggCrc32(bytes: Uint8Array, seed = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = seed | 0;
  let index = 0;
  for (const end = bytes.length - (bytes.length % bytesAtOnce); index < end; index += bytesAtOnce) {
    const four = crc ^ view.getInt32(index);
    crc =
      remainderOf(four >>> 24, 3) ^
      remainderOf((four >>> 16) & 255, 2) ^
      remainderOf((four >>> 8) & 255, 1) ^
      remainderOf(four & 255, 0);
  }
  for (; index < bytes.length; index++)
    crc = (crc << 8) ^ remainderOf((crc >>> 24) ^ view.getUint8(index), 0);
  return crc >>> 0;
}

const remainderOf = (byte: number, bytesAfterIt: number): number => tables[bytesAfterIt * 256 + byte] ?? 0;
