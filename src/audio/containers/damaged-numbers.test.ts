import { describe, expect, test } from 'vitest';
import { numberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { isEndlessMp4 } from './endless-mp4.ts';
import { foreignContainerOf } from './foreign-container.ts';
import { isMp3SoughtRoughly } from './mp3-frames.ts';
import type { PieceFile } from './mp4-boxes.ts';
import { isProtectedMp4 } from './protected-mp4.ts';

const uint32 = (value: number): Buffer => Buffer.of(value >>> 24, value >>> 16, value >>> 8, value);
const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const inside = Buffer.concat(content);
  return Buffer.concat([uint32(8 + inside.length), Buffer.from(type, 'latin1'), inside]);
};
const track = box(
  'trak',
  box(
    'mdia',
    box(
      'minf',
      box(
        'stbl',
        box('stsd', uint32(0), uint32(1), box('mp4a', Buffer.alloc(28))),
        box('stsc', uint32(0), uint32(1), uint32(1), uint32(2), uint32(1)),
        box('stsz', uint32(0), uint32(16), uint32(2)),
      ),
    ),
  ),
);
const mp4 = Buffer.concat([
  box('ftyp', Buffer.from('M4A ')),
  box('moov', track),
  box('mdat', Buffer.alloc(32)),
]);
const run = (flags: number, samples: number): Buffer =>
  box('moof', box('traf', box('trun', uint32(flags), uint32(samples))));
const fragmented = Buffer.concat([
  box('ftyp', Buffer.from('M4A ')),
  box('moov'),
  run(0, 2),
  box('mdat', Buffer.alloc(32)),
]);

/** MPEG-1 layer III at 32 kbit/s and 48 kHz: 96 bytes a frame. */
const frame = Buffer.concat([Buffer.of(0xff, 0xfb, 0x14, 0xc0), Buffer.alloc(92)]);
const xing = Buffer.from(frame);
xing.write('Xing', 4 + 17);
const mp3 = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\x08', 'latin1'),
  Buffer.alloc(8),
  xing,
  frame,
  frame,
]);

/** A file that counts reads. */
function counted(bytes: Uint8Array): { file: PieceFile; reads: () => { count: number; sizeBytes: number } } {
  const reads = { count: 0, sizeBytes: 0 };
  const read: PieceFile['read'] = async (startByte, endByteExclusive) => {
    const piece = bytes.subarray(startByte, endByteExclusive);
    reads.count += 1;
    reads.sizeBytes += piece.length;
    return piece;
  };
  return { file: { sizeBytes: bytes.length, read }, reads: () => reads };
}

const parsers = { isEndlessMp4, isProtectedMp4, isMp3SoughtRoughly };

describe.each([
  ['MP4', mp4],
  ['fragmented MP4', fragmented],
  ['MP3 with tags', mp3],
] as const)('a file with any damaged number: %s', (_, whole) => {
  test.each(Object.entries(parsers))(
    '%s returns, and reads no more than a fixed multiple of the file',
    async (_name, parse) => {
      for (const damage of numberDamages(0, whole.length)) {
        const { file, reads } = counted(withNumber(whole, damage));
        expect(typeof (await parse(file))).toBe('boolean');
        expect(reads().count).toBeLessThan(whole.length + 200);
        expect(reads().sizeBytes).toBeLessThan(whole.length * 100);
      }
    },
  );
});

test.each([
  'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0',
  'FORM\0\0\0\x10AIFFCOMM',
  'caff\0\x01\0\0desc',
  'fLaC\0\0\0\x22',
  'RF64\xff\xff\xff\xffWAVEds64',
])('returns for %j with any damaged number in its first bytes', (head) => {
  const whole = Buffer.from(head, 'latin1');
  for (const damage of numberDamages(0, whole.length))
    expect(foreignContainerOf(withNumber(whole, damage))).toSatisfy(
      (found: unknown) => found === null || typeof found === 'object',
    );
});

test('treats a fragment with more samples than the file has bytes as damage unless it lists them', async () => {
  const isEndless = (...parts: readonly Uint8Array[]) =>
    isEndlessMp4(counted(Buffer.concat([fragmented, ...parts])).file);
  expect(await isEndless()).toBe(false);
  expect(await isEndless(run(0, 0xffff_ffff))).toBe(true);
  expect(await isEndless(run(1, 60), run(1, 60), run(4, 60), run(0, 60))).toBe(true);
  // Each sample has its own size here, so the reader stops where the table ends.
  expect(await isEndless(run(0x200, 0xffff_ffff))).toBe(false);
});
