import { expect, test } from 'vitest';
import { isMp3SoughtRoughly } from './mp3-frames.ts';

const rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** A silent frame of MPEG-1 layer III, 44.1 kHz, two channels. */
function frame(kbps: number, text = '', at = 36): Uint8Array {
  const bytes = new Uint8Array(Math.floor((144_000 * kbps) / 44_100));
  bytes.set([0xff, 0xfb, rates.indexOf(kbps) << 4, 0]);
  bytes.set(
    Uint8Array.from(text, (character) => character.charCodeAt(0)),
    at,
  );
  return bytes;
}

const fileOf = (...parts: readonly Uint8Array[]) => {
  const bytes = Buffer.concat(parts);
  return {
    sizeBytes: bytes.length,
    read: async (startByte: number, endByteExclusive: number) => bytes.subarray(startByte, endByteExclusive),
  };
};
const steady = Array.from({ length: 400 }, () => frame(128));
const varying = Array.from({ length: 400 }, (_, index) => frame([128, 96, 160, 192][index % 4] ?? 128));
const tag = Uint8Array.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 2, 44, ...new Uint8Array(300)]);

test('reports exact seeking at a constant bit rate', async () => {
  expect(await isMp3SoughtRoughly(fileOf(...steady))).toBe(false);
  expect(await isMp3SoughtRoughly(fileOf(tag, tag, ...steady))).toBe(false);
  expect(await isMp3SoughtRoughly(fileOf(tag, frame(64, 'Info'), ...steady))).toBe(false);
});

test('reports rough seeking at a variable bit rate, also after tags, whatever the file states', async () => {
  expect(await isMp3SoughtRoughly(fileOf(...varying))).toBe(true);
  expect(await isMp3SoughtRoughly(fileOf(tag, tag, ...varying))).toBe(true);
  expect(await isMp3SoughtRoughly(fileOf(tag, frame(128, 'Info'), ...varying))).toBe(true);
});

test.each([
  ['Xing', 36],
  ['Xing', 38],
  ['VBRI', 36],
] as const)(
  'reports rough seeking by the few entries of a %s table at byte %d, even at a constant rate',
  async (name, at) => {
    expect(await isMp3SoughtRoughly(fileOf(tag, frame(128, name, at), ...varying))).toBe(true);
    expect(await isMp3SoughtRoughly(fileOf(tag, frame(128, name, at), ...steady))).toBe(true);
  },
);

test('does not report rough seeking in a file that is not MP3, or hardly one', async () => {
  expect(await isMp3SoughtRoughly(fileOf())).toBe(false);
  expect(await isMp3SoughtRoughly(fileOf(tag))).toBe(false);
  expect(await isMp3SoughtRoughly(fileOf(frame(128)))).toBe(false);
  expect(await isMp3SoughtRoughly(fileOf(new Uint8Array(100_000).fill(0xff)))).toBe(false);
});
