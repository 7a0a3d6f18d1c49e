import { describe, expect, test } from 'vitest';
import { foreignContainerOf } from './foreign-container.ts';
import { isEndlessMp4 } from './endless-mp4.ts';
import { boxesOf, maxMp4Boxes, TooManyBoxesError } from './mp4-boxes.ts';
import { isProtectedMp4 } from './protected-mp4.ts';

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const number = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const inside = joined(...content);
  return joined(number(8 + inside.length), latin1(type), inside);
};
/** A box with an eight-byte length after its name. */
const longBox = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const inside = joined(...content);
  return joined(number(1), latin1(type), number(0), number(16 + inside.length), inside);
};

const track = (...entries: readonly string[]): Uint8Array =>
  box(
    'trak',
    box('tkhd', new Uint8Array(84)),
    box(
      'mdia',
      box(
        'minf',
        box(
          'stbl',
          box(
            'stsd',
            number(0),
            number(entries.length),
            ...entries.map((entry) => box(entry, new Uint8Array(28))),
          ),
          box('stts', new Uint8Array(8)),
        ),
      ),
    ),
  );
const movie = (...parts: readonly Uint8Array[]): Uint8Array =>
  joined(
    box('ftyp', latin1('M4A ')),
    box('mdat', new Uint8Array(100)),
    box('moov', box('mvhd', new Uint8Array(100)), ...parts),
  );
const isProtected = (bytes: Uint8Array): Promise<boolean> =>
  isProtectedMp4({
    sizeBytes: bytes.length,
    read: async (startByte, endByteExclusive) => bytes.subarray(startByte, endByteExclusive),
  });

test.each(['enca', 'encv', 'drms', 'drmi', 'aavd'])(
  'detects the protected sample entry %s in any track',
  async (entry) => {
    expect(await isProtected(movie(track(entry)))).toBe(true);
    expect(await isProtected(movie(track('mp4v'), track('mp4a', entry)))).toBe(true);
    expect(await isProtected(joined(box('ftyp', latin1('M4A ')), longBox('moov', track(entry))))).toBe(true);
  },
);

test('ignores the same letters anywhere else', async () => {
  expect(
    await isProtected(
      movie(
        track('mp4a'),
        box('udta', latin1('Cuenca'), box('enca'), box('stsd', number(0), number(1), box('enca'))),
      ),
    ),
  ).toBe(false);
  expect(await isProtected(latin1('enca, encv, drms'))).toBe(false);
  expect(await isProtected(new Uint8Array(0))).toBe(false);
});

test('does not follow lengths beyond the end of the file', async () => {
  expect(
    await isProtected(joined(number(0xffffffff), latin1('moov'), number(4), latin1('trak'), track('enca'))),
  ).toBe(false);
  expect(await isProtected(movie(track('enca')).subarray(0, 60))).toBe(false);
});

test('treats a chunk with more samples than its track as damage, in any track', async () => {
  const samples = (inChunk: number, inTrack: number, sizes = 'stsz') =>
    box(
      'trak',
      box(
        'mdia',
        box(
          'minf',
          box(
            'stbl',
            box(
              'stsc',
              number(0),
              number(2),
              number(1),
              number(1),
              number(1),
              number(2),
              number(inChunk),
              number(1),
            ),
            box(sizes, number(0), number(0), number(inTrack)),
          ),
        ),
      ),
    );
  const isEndless = (bytes: Uint8Array) =>
    isEndlessMp4({
      sizeBytes: bytes.length,
      read: async (startByte, endByteExclusive) => bytes.subarray(startByte, endByteExclusive),
    });
  expect(await isEndless(movie(samples(431, 430)))).toBe(true);
  expect(await isEndless(movie(samples(20, 430), samples(0xffff_fff0, 430, 'stz2')))).toBe(true);
  expect(await isEndless(movie(samples(430, 430), samples(20, 600)))).toBe(false);
  expect(await isEndless(movie(samples(0xffff_ffff, 430, 'lost'), samples(20, 600)))).toBe(true);
  expect(await isEndless(movie(track('mp4a')))).toBe(false);
  expect(await isEndless(latin1('stsc and stsz'))).toBe(false);
  // 4,000,000,000 samples of one byte, or three of two.
  expect(await isEndless(movie(box('stsz', number(0), number(1), number(4_000_000_000))))).toBe(true);
  expect(await isEndless(movie(box('stsz', number(0), number(2), number(3))))).toBe(false);
});

/** This many empty boxes, followed by other content. */
const afterEmptyBoxes = (count: number, ...behind: readonly Uint8Array[]): Uint8Array =>
  joined(new Uint8Array(Buffer.alloc(count * 8, box('free'))), ...behind);

describe('a file with very many boxes', () => {
  const fileOf = (bytes: Uint8Array) => ({
    sizeBytes: bytes.length,
    read: async (startByte: number, endByteExclusive: number) => bytes.subarray(startByte, endByteExclusive),
  });

  test('is read to its end: finds protection and a wrong number after a day of fragments', async () => {
    // Seven boxes a second.
    const many = 24 * 3600 * 7;
    expect(await isProtected(afterEmptyBoxes(many, movie(track('enca'))))).toBe(true);
    expect(
      await isEndlessMp4(
        fileOf(afterEmptyBoxes(many, box('moof', box('traf', box('trun', number(0), number(0xffff_ffff)))))),
      ),
    ).toBe(true);
    expect(await isEndlessMp4(fileOf(afterEmptyBoxes(many, movie(track('mp4a')))))).toBe(false);
  }, 60_000);

  test('is damaged if it has more boxes than any recorder writes, and is never judged by its first boxes', async () => {
    const file = fileOf(afterEmptyBoxes(maxMp4Boxes + 1));
    await expect(Array.fromAsync(boxesOf(file))).rejects.toBeInstanceOf(TooManyBoxesError);
    expect(await isEndlessMp4(file)).toBe(true);
    expect(await isEndlessMp4(fileOf(afterEmptyBoxes(maxMp4Boxes)))).toBe(false);
  }, 60_000);

  test('is read in pieces with many headers each, and holds no more in memory than its levels', async () => {
    // Each box is inside the previous one and followed by another box.
    const nested = Array.from({ length: 1000 }).reduce<Uint8Array>(
      (inside) => box('moov', inside, box('free')),
      new Uint8Array(0),
    );
    let [reads, count] = [0, 0];
    const file = fileOf(joined(afterEmptyBoxes(10_000), nested));
    const counting = {
      ...file,
      read: (startByte: number, endByteExclusive: number) => {
        reads += 1;
        return file.read(startByte, endByteExclusive);
      },
    };
    for await (const { type } of boxesOf(counting)) if (type === 'moov') count += 1;
    expect(count).toBe(8);
    expect(reads).toBeLessThan(file.sizeBytes / 1000);
  });
});

test('recognises a container that only ffmpeg reads by its first bytes', () => {
  expect(foreignContainerOf(latin1('FORM\0\0\0\x10AIFCFVER'))).toEqual({ container: 'aiff' });
  expect(foreignContainerOf(latin1('caff\0\x01'))).toEqual({ container: 'caf', demuxer: 'caf' });
  expect(foreignContainerOf(latin1('\x7f\xfe\x80\x01'))).toEqual({ container: 'other' });
  expect(foreignContainerOf(latin1('TTA is a word, too'))).toBeNull();
});

/** A WAV file whose codec follows these chunks. */
function wavWith(
  codec: number,
  chunks: readonly (readonly [name: string, sizeBytes: number])[] = [],
  extendedCodec?: number,
): Uint8Array {
  const little = (value: number, length: number): Uint8Array =>
    Uint8Array.from({ length }, (_, at) => value >>> (8 * at));
  const chunk = (name: string, content: Uint8Array): Uint8Array =>
    joined(latin1(name), little(content.length, 4), content, new Uint8Array(content.length & 1));
  const fmt = joined(
    little(codec, 2),
    new Uint8Array(22),
    ...(extendedCodec === undefined ? [] : [little(extendedCodec, 2), new Uint8Array(14)]),
  );
  return joined(
    latin1('RIFF\0\0\0\0WAVE'),
    ...chunks.map(([name, sizeBytes]) => chunk(name, new Uint8Array(sizeBytes))),
    chunk('fmt ', fmt),
  );
}

test.each([
  ['JUNK', 28],
  ['bext', 602],
  ['LIST', 4097],
  ['JUNK', 30_000],
] as const)('finds the codec of a WAV file after a chunk %s of %d bytes', (name, sizeBytes) => {
  for (const codec of [0x02, 0x11, 0x31, 0x45, 0x55, 0x64, 0x28f])
    expect(foreignContainerOf(wavWith(codec, [[name, sizeBytes]]))).toEqual({ container: 'other' });
  for (const codec of [0x01, 0x03, 0x06, 0x07])
    expect(foreignContainerOf(wavWith(codec, [[name, sizeBytes]]))).toBeNull();
});

test('reads the codec of an extensible WAV file from its extension', () => {
  expect(foreignContainerOf(wavWith(0xfffe, [], 0x01))).toBeNull();
  expect(foreignContainerOf(wavWith(0xfffe, [], 0x92))).toEqual({ container: 'other' });
});

test('does not take two bytes for a LATM frame without another frame after them', () => {
  expect(
    foreignContainerOf(joined(Uint8Array.of(0x56, 0xe0, 2, 0, 0), Uint8Array.of(0x56, 0xe1, 3))),
  ).toEqual({ container: 'other' });
  expect(foreignContainerOf(latin1('V\xe0o mùa hè'))).toBeNull();
});

test('finds no codec in a WAV file that ends before it', () => {
  const whole = wavWith(0x31, [['JUNK', 28]]);
  for (let length = 0; length < 58; length += 1)
    expect(foreignContainerOf(whole.subarray(0, length))).toBeNull();
});
