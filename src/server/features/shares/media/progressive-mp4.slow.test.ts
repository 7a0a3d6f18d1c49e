import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { encoders } from '#server/features/exports/convert/encoders.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { progressiveMp4 } from './progressive-mp4.ts';

const ffmpeg = (args: readonly string[], input?: Uint8Array): Buffer => {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', ...args], {
    maxBuffer: 2 ** 28,
    ...(input ? { input } : {}),
  });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout;
};

const seconds = 25;
const streamed = () =>
  ffmpeg([
    '-f',
    'lavfi',
    '-i',
    `sine=sample_rate=48000:duration=${seconds}`,
    ...encoders.m4a.output('s16'),
    '-',
  ]);
const samplesOf = (file: Uint8Array) => ffmpeg(['-i', '-', '-f', 's16le', '-'], file);

const indexed = async (file: Buffer) => {
  const read = async (from: number, to: number) => file.subarray(from, to);
  const { header, ranges } = await progressiveMp4({ read, sizeBytes: file.length }, seconds * 1000);
  return Buffer.concat([
    header,
    ...ranges.map(({ startByte, endByteExclusive }) => file.subarray(startByte, endByteExclusive)),
  ]);
};

/** The boxes of a file, without what is in them. */
function boxTypes(file: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at < file.length;) {
    const sizeBytes = file.readUInt32BE(at);
    types.push(file.toString('latin1', at + 4, at + 8));
    at += sizeBytes === 1 ? Number(file.readBigUInt64BE(at + 8)) : sizeBytes;
  }
  return types;
}

describe.skipIf(!hasFfmpeg)('a streamed M4A with an index', () => {
  test('has its index in front, and the same sound without the frames before it', async () => {
    const fragments = streamed();
    const file = await indexed(fragments);
    expect(boxTypes(file)).toEqual(['ftyp', 'moov', 'mdat']);
    const frameBytes = 1024 * 2;
    const expected = samplesOf(fragments).subarray(frameBytes);
    const sound = samplesOf(file);
    expect(Math.abs(sound.length - seconds * 48_000 * 2)).toBeLessThan(frameBytes);
    expect(sound.equals(expected.subarray(0, sound.length))).toBe(true);
  });

  test('can be played from a moment without what is before it', async () => {
    const file = await indexed(streamed());
    const rest = ffmpeg(['-ss', '20', '-i', '-', '-f', 's16le', '-'], file);
    expect(Math.abs(rest.length - 5 * 48_000 * 2)).toBeLessThanOrEqual(1024 * 2);
  });

  test('is not made of a file that is cut off, or of another one', async () => {
    const file = streamed();
    await expect(indexed(file.subarray(0, file.length / 2))).rejects.toThrow(RangeError);
    await expect(indexed(Buffer.alloc(100))).rejects.toThrow(RangeError);
    await expect(indexed(await indexed(file))).rejects.toThrow(RangeError);
  });
});
