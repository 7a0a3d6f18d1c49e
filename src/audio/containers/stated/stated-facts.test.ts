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
  expect(await readStatedFacts('wav', fileOf(wavFile(made)))).toMatchObject({ obstacles, lengthsMs: [3000] });
});

test('M4: reads the length of WAV without sizes from its bytes', async () => {
  expect(await readStatedFacts('wav', fileOf(withoutSizes(wavFile({}))))).toMatchObject({
    obstacles: ['no-length'],
    lengthsMs: [3000],
  });
});

const riffOf = (...parts: Buffer[]): Buffer => {
  const whole = Buffer.concat(parts);
  whole.writeUInt32LE(8000, whole.indexOf('data') + 4);
  return whole;
};
const infoList = Buffer.from('LIST\u0010\0\0\0INFOINAM\u0004\0\0\0Boat', 'latin1');

test.for<[string, Buffer, string[], number]>([
  ['samples', riffOf(wavFile({})), ['cut-short'], 3000],
  ['a chunk', riffOf(wavFile({}).subarray(0, 8044), infoList), [], 500],
  [
    'a chunk of another size than stated',
    riffOf(wavFile({}).subarray(0, 8044), Buffer.from('id3 \u0001\0\0\0a')),
    [],
    500,
  ],
  ['a tag', riffOf(wavFile({}).subarray(0, 8044), Buffer.from('TAG'.padEnd(128))), [], 500],
  ['less than a sound', riffOf(wavFile({}).subarray(0, 8144)), [], 500],
])(
  'F7: where a WAV header states too few samples, takes the rest unless it is %s',
  async ([, bytes, obstacles, lengthMs]) => {
    expect(await readStatedFacts('wav', fileOf(bytes))).toMatchObject({ obstacles, lengthsMs: [lengthMs] });
  },
);

test('F7: finds the end of samples whose size wrapped at 4 GiB by the chunk behind them', async () => {
  const [head, tail] = [riffOf(wavFile({}).subarray(0, 44)), infoList];
  const dataBytes = 2 ** 32 + 8000;
  const file: PieceFile = {
    sizeBytes: 44 + dataBytes + tail.length,
    read: async (startByte, endByteExclusive) =>
      Buffer.from(
        Array.from({ length: endByteExclusive - startByte }, (_, index) => {
          const at = startByte + index;
          return (at < 44 ? head[at] : tail[at - 44 - dataBytes]) ?? 0;
        }),
      ),
  };
  expect(await readStatedFacts('wav', file)).toMatchObject({
    obstacles: ['cut-short'],
    lengthsMs: [dataBytes / 16],
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
