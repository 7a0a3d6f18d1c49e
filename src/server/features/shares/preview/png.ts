import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bitsPerSample = 8;
const trueColour = 2;
const bytesPerPixel = 3;

/** One chunk: length, type, data, and the CRC of type and data (PNG, 5.3). */
function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/**
 * Encodes an opaque picture as PNG (W3C PNG, third edition), eight bits per sample.
 * @param pixels red, green and blue of each pixel, row by row from the top left
 * @throws RangeError if the number of bytes is not that of the size
 */
export function encodePng(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const rowBytes = width * bytesPerPixel;
  if (pixels.length !== rowBytes * height)
    throw new RangeError(
      `${width} × ${height} pixels have ${rowBytes * height} bytes, received ${pixels.length}`,
    );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitsPerSample, trueColour, 0, 0, 0], 8);
  // Each row starts with its filter; without one, the equal rows of a drawing compress best.
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ]);
}
