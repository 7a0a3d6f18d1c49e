import { expect, test } from 'vitest';
import { strangeAnswers } from '#tests/support/damaged-numbers.ts';
import { type MadeSamples, wavFile, withoutSizes } from '#tests/support/media/wav-files.ts';
import { damagesOf, smallSoundFiles } from '#tests/support/small-sound-files.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { readStatedFacts } from './read-stated-facts.ts';

const fileOf = (bytes: Uint8Array): PieceFile => ({
  sizeBytes: bytes.length,
  read: async (startByte, endByteExclusive) => bytes.subarray(startByte, endByteExclusive),
});
const containers: Readonly<Record<string, string>> = {
  'a.wav': 'wav',
  'a.mp3': 'mp3',
  'a.flac': 'flac',
  'tables.mp4': 'mp4',
  'fragments.mp4': 'mp4',
  'a.webm': 'webm',
};

test.for(await smallSoundFiles())(
  'states finite numbers for $name with any number set to 0, 1, the maximum or −1',
  async (file) => {
    expect(
      await strangeAnswers(damagesOf(file), async (bytes) => {
        const facts = await Promise.all(
          ['ogg', containers[file.name] ?? ''].map((container) => readStatedFacts(container, fileOf(bytes))),
        );
        return facts.every(({ lengthsMs }) => lengthsMs.every(Number.isFinite));
      }),
    ).toEqual([]);
  },
);

test.for<[string, MadeSamples, string[]]>([
  ['16 bits', {}, []],
  ['24 bits', { bits: 24 }, []],
  ['20 bits in 24', { bits: 24, validBits: 20 }, []],
  ['12 bits in 16', { validBits: 12 }, []],
  ['floating point', { bits: 32, isFloat: true, validBits: 32 }, []],
  ['24 bits in 32', { bits: 32, validBits: 24 }, ['layout']],
  ['8 bits in 16', { validBits: 8 }, ['layout']],
  ['16 bits, big-endian', { isBigEndian: true }, ['layout']],
])('M3: reports an obstacle in WAV only where its header is ambiguous: %s', async ([, made, obstacles]) => {
  expect(await readStatedFacts('wav', fileOf(wavFile(made)))).toEqual({ obstacles, lengthsMs: [3000] });
});

test('M4: reads the length of WAV without sizes from its bytes', async () => {
  expect(await readStatedFacts('wav', fileOf(withoutSizes(wavFile({}))))).toEqual({
    obstacles: ['no-length'],
    lengthsMs: [3000],
  });
});

test('M3: finds neither length nor index in files that browsers record', async () => {
  const files = new Map((await smallSoundFiles()).map(({ name, bytes }) => [name, bytes]));
  const facts = (name: string) =>
    readStatedFacts(containers[name] ?? '', fileOf(files.get(name) ?? new Uint8Array()));
  expect((await facts('a.webm')).obstacles).toEqual(['no-length', 'no-index']);
  expect((await facts('fragments.mp4')).obstacles).toEqual(['no-index']);
  expect((await facts('tables.mp4')).obstacles).toEqual([]);
});
