import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encodePng } from './png.ts';
import { cardSize, drawWaveformCard } from './waveform-card.ts';

/** Reads the chunks of a PNG and checks each CRC. */
function readPng(file: Buffer): { width: number; height: number; rows: Buffer } {
  expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1A\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const typed = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    chunks.set(typed.toString('latin1', 0, 4), typed.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    rows: inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0)),
  };
}

test('writes every pixel of a picture into a valid PNG', () => {
  const pixels = Uint8Array.from({ length: 3 * 2 * 3 }, (_, index) => index * 7);
  const { width, height, rows } = readPng(encodePng(pixels, { width: 3, height: 2 }));
  expect([width, height]).toEqual([3, 2]);
  expect([...rows]).toEqual([0, ...pixels.subarray(0, 9), 0, ...pixels.subarray(9)]);
});

test('rejects pixels that are not those of the size', () => {
  expect(() => encodePng(new Uint8Array(5), { width: 2, height: 1 })).toThrow(RangeError);
});

const inkOf = (points: Int8Array, x: number): number => {
  const { rows } = readPng(drawWaveformCard(points));
  const rowBytes = cardSize.width * 3 + 1;
  return Array.from({ length: 480 }, (_, y) => rows[y * rowBytes + 1 + x * 3] ?? 255).filter(
    (red) => red < 100,
  ).length;
};

test('draws loud parts tall and silent ones as dots, in the size of previews', () => {
  const halfLoud = Int8Array.from({ length: 400 }, (_, index) =>
    index < 200 ? (index % 2 ? 120 : -120) : 0,
  );
  expect(readPng(drawWaveformCard(halfLoud))).toMatchObject(cardSize);
  expect(inkOf(halfLoud, 100)).toBeGreaterThan(300);
  expect(inkOf(halfLoud, 1090)).toBeLessThan(12);
});

test('draws a recording of a few points, and one without any', () => {
  expect(inkOf(Int8Array.of(-127, 127), 100)).toBeGreaterThan(300);
  expect(drawWaveformCard(new Int8Array()).length).toBeLessThan(30_000);
});
