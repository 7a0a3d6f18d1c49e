import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { makeWav } from '#tests/support/made-wav.ts';
import { probeFile } from './probe-file.ts';
import { rawTitleOf } from './raw-title.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);

/** An MPEG-2.5 frame without sound, 8 kHz, mono: 72 bytes. */
const mp3Frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)]);
const sound = Buffer.concat(Array.from({ length: 20 }, () => mp3Frame));
const big = (value: number, length: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (value >>> (8 * (length - 1 - at))) & 255));
const synchsafe = (value: number) =>
  Buffer.from([(value >> 21) & 127, (value >> 14) & 127, (value >> 7) & 127, value & 127]);

/** An MP3 file with an ID3v2 title of these bytes, in one of its encodings (0–3). */
function mp3(encoding: number, text: Uint8Array, version: 2 | 3 | 4 = 3): Buffer {
  const sizeBytes = text.length + 1;
  const size = { 2: big(sizeBytes, 3), 3: big(sizeBytes, 4), 4: synchsafe(sizeBytes) }[version];
  const head = version === 2 ? [Buffer.from('TT2'), size] : [Buffer.from('TIT2'), size, Buffer.alloc(2)];
  const frame = Buffer.concat([...head, Buffer.from([encoding]), text]);
  return Buffer.concat([
    Buffer.from('ID3'),
    Buffer.from([version, 0, 0]),
    synchsafe(frame.length),
    frame,
    sound,
  ]);
}

/** An MP3 file with an ID3v1 tag. */
const id3v1 = (title: Uint8Array): Buffer =>
  Buffer.concat([
    sound,
    Buffer.from('TAG'),
    title.subarray(0, 30),
    Buffer.alloc(125 - Math.min(30, title.length)),
  ]);

/** A WAV file with a list of names after its sound, whose sizes are those of the bytes. */
function wav(title: Uint8Array): Buffer {
  const plain = Buffer.from(makeWav({ seconds: 1, sampleRateHz: 8000 }));
  const even = Buffer.concat([title, Buffer.alloc(title.length % 2)]);
  const little = (value: number) => big(value, 4).reverse();
  const list = Buffer.concat([Buffer.from('INFOINAM'), little(title.length), even]);
  const whole = Buffer.concat([plain, Buffer.from('LIST'), little(list.length), list]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

/** A FLAC file with a Vorbis comment of these bytes, and without sound behind its tables. */
function flac(title: Uint8Array): Buffer {
  const little = (value: number) => big(value, 4).reverse();
  const comment = Buffer.concat([Buffer.from('TITLE='), title]);
  const block = Buffer.concat([little(1), Buffer.from('x'), little(1), little(comment.length), comment]);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x84]), big(block.length, 3), block]);
}

const le = (text: string) => Buffer.from(text, 'utf16le');
const be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const utf8 = (text: string) => Buffer.from(text);
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const cp1251 = latin1('\xd0\xe0\xf1\xf1\xea\xe0\xe7 \xe1\xe0\xe1\xf3\xf8\xea\xe8');

async function titleIn(
  bytes: Uint8Array,
  name: string,
  languages: readonly string[] = ['en'],
): Promise<string> {
  vi.stubGlobal('navigator', { languages });
  try {
    return (await probeFile(new File([new Uint8Array(bytes)], name))).facts.title;
  } finally {
    vi.unstubAllGlobals();
  }
}

describe('the title of a file whose tag says the wrong encoding', () => {
  it.each<[what: string, file: Buffer, title: string, languages?: string[]]>([
    ['UTF-16 without a byte order mark', mp3(1, le('Grandma tape')), 'Grandma tape'],
    ['UTF-16 without a byte order mark, big-endian', mp3(1, be('Grandma tape')), 'Grandma tape'],
    ['UTF-16 without a mark, closed by zeros', mp3(1, le('Grandma tape\0')), 'Grandma tape'],
    ['Cyrillic UTF-16 without a mark', mp3(1, le('Рассказ бабушки')), 'Рассказ бабушки'],
    ['Cyrillic UTF-16 without a mark, big-endian', mp3(1, be('Рассказ бабушки')), 'Рассказ бабушки'],
    ['Japanese UTF-16 without a mark', mp3(1, le('祖母の話を聞く')), '祖母の話を聞く'],
    ['UTF-16 declared as Latin-1', mp3(0, le('Grandma tape')), 'Grandma tape'],
    ['UTF-16 with a mark, declared as Latin-1', mp3(0, le('\ufeffGrandma tape')), 'Grandma tape'],
    ['UTF-16 declared as UTF-8', mp3(3, le('Grandma tape'), 4), 'Grandma tape'],
    ['little-endian UTF-16 declared as big-endian', mp3(2, le('Grandma tape'), 4), 'Grandma tape'],
    ['UTF-16 with a mark', mp3(1, le('\ufeffGroß')), 'Groß'],
    ['UTF-8 declared as UTF-16', mp3(1, utf8('Größe und Maß')), 'Größe und Maß'],
    ['UTF-16 without a mark in ID3v2.2', mp3(1, le('Grandma tape'), 2), 'Grandma tape'],
    ['cp1251 declared as UTF-8', mp3(3, cp1251, 4), 'Рассказ бабушки', ['ru']],
    ['cp1251 declared as UTF-8, and no language decides', mp3(3, cp1251, 4), 'name', ['en']],
    ['Latin-1 declared as UTF-8', mp3(3, latin1('Größe'), 4), 'Größe'],
    ['UTF-8 declared as Latin-1', mp3(0, utf8('Größe')), 'Größe'],
    ['a second value behind a zero', mp3(3, utf8('One\0Two'), 4), 'One'],
    ['a single letter', mp3(0, latin1('X')), 'X'],
    ['a single letter in UTF-16', mp3(1, le('\ufeff雪')), '雪'],
    ['question marks for its letters', mp3(0, latin1('??????? ???????')), 'name'],
    ['control characters', mp3(0, latin1('\x01\x02\x03\x04')), 'name'],
    ['only spaces', mp3(0, latin1('    ')), 'name'],
    ['ID3v1 with spaces', id3v1(latin1('Evening walk'.padEnd(30))), 'Evening walk'],
    ['ID3v1 with zeros and a rest behind them', id3v1(latin1('Evening\0wwwwww')), 'Evening'],
    ['ID3v1 with UTF-8 that was cut', id3v1(utf8('a Рассказ бабушки о войне')), 'a Рассказ бабушк'],
    ['ID3v1 in cp1251', id3v1(cp1251), 'Рассказ бабушки', ['ru']],
  ])('is right: %s', async (...[, file, title, languages]) => {
    expect(await titleIn(file, 'name.mp3', languages)).toBe(title);
  });

  it.each<[what: string, file: Buffer, title: string, languages?: string[]]>([
    ['UTF-16', wav(le('Grandma tape')), 'Grandma tape'],
    ['UTF-16, big-endian', wav(be('Grandma tape')), 'Grandma tape'],
    ['UTF-8', wav(utf8('Größe')), 'Größe'],
    ['cp1251', wav(cp1251), 'Рассказ бабушки', ['ru']],
    ['zeros behind its text', wav(latin1('Evening walk\0\0\0\0')), 'Evening walk'],
  ])('is right in a WAV file: %s', async (...[, file, title, languages]) => {
    expect(await titleIn(file, 'name.wav', languages)).toBe(title);
  });

  it('is found in Vorbis comments with invalid UTF-8', async () => {
    for (const bytes of [cp1251, utf8('Größe')]) {
      const file = flac(bytes);
      const raw = await rawTitleOf({
        sizeBytes: file.length,
        read: (from, to) => Promise.resolve(file.subarray(from, to)),
      });
      expect(Buffer.from(raw?.bytes ?? [])).toEqual(bytes);
    }
  });

  it('is found or missing in a damaged tag, within its bytes', async () => {
    const files = [mp3(1, le('Grandma tape')), mp3(3, utf8('One'), 4), wav(utf8('One')), flac(utf8('One'))];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.nat(200),
        fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 6 }),
        async (file, length, changes) => {
          const bytes = Buffer.from(file.subarray(0, length));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          const raw = await rawTitleOf({
            sizeBytes: bytes.length,
            read: (from, to) => Promise.resolve(bytes.subarray(from, to)),
          });
          expect(raw?.bytes.length ?? 0).toBeLessThanOrEqual(bytes.length);
        },
      ),
    );
  });
});
