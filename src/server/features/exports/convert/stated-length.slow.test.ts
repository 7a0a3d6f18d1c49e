import { expect, test } from 'vitest';
import { pipedFile } from '#tests/support/media/ffmpeg-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { type ConvertedFormat, encoders } from './encoders.ts';
import { statingLength } from './stated-length.ts';

const sound = {
  sampleRateHz: 48_000,
  channels: 1,
  layout: null,
  channelFilter: null,
  firstFilter: null,
  depth: 's16',
} as const;
const cut = { fromMs: 0, toMs: 2000 };

const encoded = (format: ConvertedFormat): Buffer =>
  pipedFile(['-f', 'lavfi', '-i', 'sine=r=48000:d=2', '-ac', '1', ...encoders[format].output('s16')]);

async function whole(format: ConvertedFormat, pieces: readonly Buffer[]): Promise<Buffer> {
  const given = (async function* give() {
    yield* pieces;
  })();
  return Buffer.concat(await Array.fromAsync(statingLength({ format, cut, sound }, given)));
}

const cutInto = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

test.skipIf(!hasFfmpeg).for(['m4a', 'flac', 'wav', 'mp3', 'opus'] as const)(
  'the length of %s is stated in any chunking of the bytes',
  async (format) => {
    const bytes = encoded(format);
    const expected = await whole(format, [bytes]);
    expect(expected.equals(bytes)).toBe(format === 'mp3' || format === 'opus');
    for (const size of [1, 7, 28, 4096])
      expect([size, (await whole(format, cutInto(bytes, size))).equals(expected)]).toEqual([size, true]);
  },
);

test('a file that is shorter than any header is returned unchanged', async () => {
  expect((await whole('flac', [Buffer.from('fLa'), Buffer.from('C')])).toString()).toBe('fLaC');
  expect(await whole('m4a', [])).toHaveLength(0);
});
