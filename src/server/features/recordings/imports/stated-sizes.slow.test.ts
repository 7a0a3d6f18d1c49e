import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { ffmpegFile, soundsFromMs, toneFile, toneInput } from '#tests/support/media/ffmpeg-files.ts';
import { disagreements, fourReaders } from '#tests/support/media/four-readers.ts';
import { wavFile, type MadeSamples } from '#tests/support/media/wav-files.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';

/** Writes a number over the bytes at `offset` behind the first occurrence of `name`. */
function withNumber(
  bytes: Buffer,
  {
    name,
    offset,
    value,
    size = 4,
    isLittle = false,
  }: { name: string; offset: number; value: number; size?: 4 | 8; isLittle?: boolean },
): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(name, 0, 'latin1') + offset;
  if (size === 8 && isLittle) changed.writeBigUInt64LE(BigInt(value), at);
  else if (size === 8) changed.writeBigUInt64BE(BigInt(value), at);
  else if (isLittle) changed.writeUInt32LE(value, at);
  else changed.writeUInt32BE(value, at);
  return changed;
}

const cutShort = (bytes: Buffer, dataBytes = 16_000): Buffer =>
  withNumber(withNumber(bytes, { name: 'data', offset: 4, value: dataBytes, isLittle: true }), {
    name: 'RIFF',
    offset: 4,
    value: dataBytes + 36,
    isLittle: true,
  });

async function wrongReaders(name: string, bytes: Buffer, lengthMs: number): Promise<string[]> {
  const api = await apiOnSqlite();
  const readers = await fourReaders(api, await api.signIn(), { name, bytes });
  return disagreements(readers, { lengthMs, soundsFromMs });
}

describe.skipIf(!hasFfmpeg)('F7: all readers agree about', () => {
  test.for<[string, MadeSamples]>([
    ['16 bits', {}],
    ['24 bits, stereo', { bits: 24, channels: 2 }],
    ['floating point', { bits: 32, isFloat: true }],
  ])('WAV of %s whose sizes are too small', async ([name, made]) => {
    expect(await wrongReaders(`${name}.wav`, cutShort(wavFile(made)), 3000)).toEqual([]);
  });

  test.for<[string, () => Buffer]>([
    [
      'riff.wav',
      () => withNumber(toneFile('a.wav', []), { name: 'RIFF', offset: 4, value: 100, isLittle: true }),
    ],
    ['a.au', () => withNumber(toneFile('a.au', []), { name: '.snd', offset: 8, value: 96_000 })],
    ['a.flac', () => withNumber(toneFile('a.flac', []), { name: 'fLaC', offset: 22, value: 48_000 })],
    [
      'a.mp3',
      () =>
        withNumber(toneFile('a.mp3', ['-c:a', 'libmp3lame', '-q:a', '4']), {
          name: 'Xing',
          offset: 8,
          value: 40,
        }),
    ],
    [
      'a.m4a',
      () => withNumber(toneFile('a.m4a', ['-c:a', 'aac']), { name: 'mdhd', offset: 20, value: 48_000 }),
    ],
  ])('%s whose header states less than the file holds', async ([name, bytesOf]) => {
    expect(await wrongReaders(name, bytesOf(), 6000)).toEqual([]);
  });
});

/** A size of the sound that is written over the true one, and where. */
const tooSmall: readonly [
  name: string,
  options: readonly string[],
  sizes: Parameters<typeof withNumber>[1][],
][] = [
  ['rf64.wav', ['-rf64', 'always'], [{ name: 'ds64', offset: 16, value: 96_000, size: 8, isLittle: true }]],
  [
    'rf64-unfinished.wav',
    ['-rf64', 'always'],
    [{ name: 'ds64', offset: 16, value: 0, size: 8, isLittle: true }],
  ],
  ['adpcm.wav', ['-c:a', 'adpcm_ms'], [{ name: 'data', offset: 4, value: 8000, isLittle: true }]],
  ['a.aiff', [], [{ name: 'SSND', offset: 4, value: 96_008 }]],
  [
    'unfinished.aiff',
    [],
    [
      { name: 'SSND', offset: 4, value: 0 },
      { name: 'FORM', offset: 4, value: 46 },
    ],
  ],
  ['whole-file.aiff', [], [{ name: 'FORM', offset: 4, value: 0 }]],
  ['aifc.aiff', ['-c:a', 'adpcm_ima_qt'], [{ name: 'SSND', offset: 4, value: 9608 }]],
  ['a.caf', ['-c:a', 'pcm_s16be'], [{ name: '\0data\0', offset: 5, value: 96_004, size: 8 }]],
  ['packets.caf', ['-c:a', 'alac'], [{ name: '\0data\0', offset: 5, value: 96_004, size: 8 }]],
  [
    'a.w64',
    ['-c:a', 'pcm_s16le'],
    [{ name: 'data\u00f3', offset: 16, value: 96_024, size: 8, isLittle: true }],
  ],
  [
    'unfinished.w64',
    ['-c:a', 'pcm_s16le'],
    [{ name: 'data\u00f3', offset: 16, value: 24, size: 8, isLittle: true }],
  ],
  ['a.mp4', ['-c:a', 'aac'], [{ name: 'mdat', offset: -4, value: 20_000 }]],
];

describe.skipIf(!hasFfmpeg)('F7: all of the sound is read from', () => {
  test.for(tooSmall)('%s, whose size is too small', async ([name, options, sizes]) => {
    const whole = toneFile(name, options);
    const bytes = sizes.reduce((changed, number) => withNumber(changed, number), whole);
    expect(await wrongReaders(name, bytes, 6000)).toEqual([]);
  });
});

describe.skipIf(!hasFfmpeg)('F17: an MP4 that claims 4,000,000,000 samples', () => {
  test.for<[string, Parameters<typeof withNumber>[1][]]>([
    ['in a table', [{ name: 'stsz', offset: 12, value: 4_000_000_000 }]],
    [
      'of one byte',
      [
        { name: 'stsz', offset: 8, value: 1 },
        { name: 'stsz', offset: 12, value: 4_000_000_000 },
      ],
    ],
    [
      'of a kilobyte',
      [
        { name: 'stsz', offset: 8, value: 1000 },
        { name: 'stsz', offset: 12, value: 4_000_000_000 },
      ],
    ],
  ])('%s is damaged', async ([, numbers]) => {
    const whole = ffmpegFile('a.m4a', [...toneInput(3), '-c:a', 'aac']);
    const bytes = numbers.reduce((changed, number) => withNumber(changed, number), whole);
    const api = await apiOnSqlite();
    const { recording } = await importFile(api, await api.signIn(), { name: 'a.m4a', bytes });
    expect(recording).toMatchObject({ state: 'failed', failureReason: 'damaged' });
  });
});
