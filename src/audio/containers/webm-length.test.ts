import { expect, test } from 'vitest';
import { lastWebmBlockMs } from './webm-length.ts';

const unknownSize = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const element = (id: readonly number[], content: readonly number[]): number[] => [
  ...id,
  0x40 | (content.length >> 8),
  content.length & 255,
  ...content,
];
const header = element([0x1a, 0x45, 0xdf, 0xa3], []);
const segment = (...parts: readonly number[][]) => [0x18, 0x53, 0x80, 0x67, ...unknownSize, ...parts.flat()];
const cluster = (atMs: number, ...parts: readonly number[][]) => [
  0x1f,
  0x43,
  0xb6,
  0x75,
  ...unknownSize,
  ...element([0xe7], [atMs >> 8, atMs & 255]),
  ...parts.flat(),
];
const times = (ms: number) => [0x81, (ms >> 8) & 255, ms & 255, 0x80];
const block = (ms: number, sizeBytes = 400) => element([0xa3], [...times(ms), ...Array(sizeBytes).fill(7)]);
const group = (ms: number) => element([0xa0], element([0xa1], [...times(ms), 7]));
const scale = (ns: number) =>
  element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], [ns >> 16, (ns >> 8) & 255, ns & 255]));

function fileOf(bytes: readonly number[]) {
  return {
    sizeBytes: bytes.length,
    read: async (startByte: number, endByte: number) => Uint8Array.from(bytes.slice(startByte, endByte)),
  };
}

const minutes = segment(
  ...Array.from({ length: 60 }, (_, second) =>
    cluster(second * 1000, ...Array.from({ length: 16 }, (__, nth) => block(nth * 60))),
  ),
);

test.each([
  { name: 'blocks and groups', bytes: [...header, ...segment(cluster(0, block(0), group(60)))], endMs: 60 },
  {
    name: 'a later cluster',
    bytes: [...header, ...segment(cluster(0, block(0)), cluster(1000, block(20)))],
    endMs: 1020,
  },
  {
    name: 'a block before its cluster',
    bytes: [...header, ...segment(cluster(1000, block(-20)))],
    endMs: 980,
  },
  {
    name: 'another scale',
    bytes: [...header, ...segment(scale(500_000), cluster(0, block(2000)))],
    endMs: 1000,
  },
  { name: 'more than one read', bytes: [...header, ...minutes], endMs: 59_900 },
  { name: 'no block', bytes: [...header, ...segment(cluster(0))], endMs: null },
  { name: 'another format', bytes: [...Array(500).fill(0x4f)], endMs: null },
  { name: 'no bytes', bytes: [], endMs: null },
])('finds the last block of a file with $name', async ({ bytes, endMs }) => {
  expect(await lastWebmBlockMs(fileOf(bytes))).toBe(endMs);
});

test('leaves out a block that a kill cut off, wherever the file ends', async () => {
  const whole = [...header, ...segment(cluster(0, block(0), block(60), block(120)))];
  const ends = await Promise.all(
    Array.from({ length: whole.length + 1 }, (_, sizeBytes) =>
      lastWebmBlockMs(fileOf(whole.slice(0, sizeBytes))),
    ),
  );
  expect([...new Set(ends)]).toEqual([null, 0, 60, 120]);
  expect(ends.indexOf(120)).toBe(whole.length);
});
