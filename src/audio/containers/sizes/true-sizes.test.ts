import { describe, expect, test } from 'vitest';
import { numberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { headWithTrueSizes } from './true-sizes.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const number = (value: number, size: 4 | 8, isLittleEndian: boolean): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return isLittleEndian ? bytes.subarray(8 - size).reverse() : bytes.subarray(8 - size);
};

/** Samples whose bytes are no names. */
const sound = (sizeBytes: number): Buffer =>
  Buffer.from(Array.from({ length: sizeBytes }, (_, at) => (at % 2 === 0 ? at & 0xff : 0x80)));
const soundBytes = 4000;

const wave64Id = (name: string): Buffer =>
  Buffer.concat([latin(name), Buffer.from('f3acd3118cd100c04f8edb8a', 'hex')]);

/** A file whose sizes are true: what is before its sound, and what follows it. */
interface Made {
  head: Buffer;
  /** The offset and the width of the size of the sound. */
  sizeAt: number;
  size: 4 | 8;
  isLittleEndian: boolean;
  /** What the size counts besides the sound. */
  counted: number;
  tail: Buffer;
}

const chunk = (
  name: string,
  content: Buffer,
  { size = 4, isLittleEndian = true }: { size?: 4 | 8; isLittleEndian?: boolean } = {},
): Buffer => Buffer.concat([latin(name), number(content.length, size, isLittleEndian), content]);

function riff({ start = 'RIFF', form = 'WAVE' }: { start?: string; form?: string } = {}): Made {
  const isLittleEndian = start !== 'RIFX';
  const tail = chunk('LIST', latin('INFOINAM\u0004\0\0\0Boat'), { isLittleEndian });
  const before = Buffer.concat([
    latin(form),
    chunk('fmt ', Buffer.alloc(16), { isLittleEndian }),
    latin('data'),
    number(soundBytes, 4, isLittleEndian),
  ]);
  const head = Buffer.concat([
    latin(start),
    number(before.length + soundBytes + tail.length, 4, isLittleEndian),
    before,
  ]);
  return { head, sizeAt: head.length - 4, size: 4, isLittleEndian, counted: 0, tail };
}

function rf64(start: string): Made {
  const ds64 = Buffer.concat([
    number(0, 8, true),
    number(soundBytes, 8, true),
    number(0, 8, true),
    number(0, 4, true),
  ]);
  const head = Buffer.concat([
    latin(start),
    number(2 ** 32 - 1, 4, true),
    latin('WAVE'),
    chunk('ds64', ds64),
    chunk('fmt ', Buffer.alloc(16)),
    latin('data'),
    number(2 ** 32 - 1, 4, true),
  ]);
  return {
    head,
    sizeAt: 28,
    size: 8,
    isLittleEndian: true,
    counted: 0,
    tail: chunk('bext', Buffer.alloc(20)),
  };
}

function iff(form: string, name: string): Made {
  const tail = chunk('ANNO', latin('Boat'), { isLittleEndian: false });
  const before = Buffer.concat([
    latin(form),
    chunk('COMM', Buffer.alloc(18), { isLittleEndian: false }),
    latin(name),
    number(soundBytes, 4, false),
  ]);
  const head = Buffer.concat([
    latin('FORM'),
    number(before.length + soundBytes + tail.length, 4, false),
    before,
  ]);
  return { head, sizeAt: head.length - 4, size: 4, isLittleEndian: false, counted: 0, tail };
}

function caf(): Made {
  const long = { size: 8, isLittleEndian: false } as const;
  const head = Buffer.concat([
    latin('caff\0\x01\0\0'),
    chunk('desc', Buffer.alloc(32), long),
    latin('data'),
    number(soundBytes, 8, false),
  ]);
  return {
    head,
    sizeAt: head.length - 8,
    size: 8,
    isLittleEndian: false,
    counted: 0,
    tail: chunk('pakt', Buffer.alloc(24), long),
  };
}

function w64(): Made {
  const format = Buffer.concat([wave64Id('fmt '), number(40, 8, true), Buffer.alloc(16)]);
  const tail = Buffer.concat([wave64Id('levl'), number(32, 8, true), Buffer.alloc(8)]);
  const riffId = Buffer.from('726966662e91cf11a5d628db04c10000', 'hex');
  const head = Buffer.concat([
    riffId,
    number(40 + format.length + 24 + soundBytes + tail.length, 8, true),
    wave64Id('wave'),
    format,
    wave64Id('data'),
    number(24 + soundBytes, 8, true),
  ]);
  return { head, sizeAt: head.length - 8, size: 8, isLittleEndian: true, counted: 24, tail };
}

function asf(): Made {
  const object = (id: string, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from(id, 'hex'), number(24 + content.length, 8, true), content]);
  const head = Buffer.concat([
    object('3026b2758e66cf11a6d900aa0062ce6c', Buffer.alloc(30)),
    Buffer.from('3626b2758e66cf11a6d900aa0062ce6c', 'hex'),
    number(24 + soundBytes, 8, true),
  ]);
  const tail = object('90080033b1e5cf1189f400a0c90349cb', Buffer.alloc(32));
  return { head, sizeAt: head.length - 8, size: 8, isLittleEndian: true, counted: 24, tail };
}

const box = (name: string, content: Buffer): Buffer =>
  Buffer.concat([number(8 + content.length, 4, false), latin(name), content]);
const moov = box('moov', Buffer.concat([box('mvhd', Buffer.alloc(100)), box('udta', Buffer.alloc(12))]));

function mp4(): Made {
  const head = Buffer.concat([
    box('ftyp', latin('M4A \0\0\0\0')),
    number(8 + soundBytes, 4, false),
    latin('mdat'),
  ]);
  return { head, sizeAt: head.length - 8, size: 4, isLittleEndian: false, counted: 8, tail: moov };
}

const made: Readonly<Record<string, Made>> = {
  WAV: riff(),
  'WAV of big-endian numbers': riff({ start: 'RIFX' }),
  QCP: riff({ form: 'QLCM' }),
  RF64: rf64('RF64'),
  BW64: rf64('BW64'),
  AIFF: iff('AIFF', 'SSND'),
  AIFC: iff('AIFC', 'SSND'),
  '8SVX': iff('8SVX', 'BODY'),
  CAF: caf(),
  Wave64: w64(),
  WMA: asf(),
  MP4: mp4(),
};

const stating = ({ head, sizeAt, size, isLittleEndian }: Made, value: number): Buffer => {
  const changed = Buffer.from(head);
  number(value, size, isLittleEndian).copy(changed, sizeAt);
  return changed;
};
const headOf = (bytes: Uint8Array): Promise<Uint8Array | null> =>
  headWithTrueSizes({ sizeBytes: bytes.length, read: async (start, end) => bytes.subarray(start, end) });
const fileOf = ({ tail }: Made, head: Buffer, contentBytes = soundBytes): Buffer =>
  Buffer.concat([head, sound(contentBytes), tail]);

describe.each(Object.entries(made))('F7: the sizes in %s', (_, file) => {
  test('are not changed if they are true', async () => {
    expect(await headOf(fileOf(file, file.head))).toBeNull();
  });

  test.for([
    ['0', 0],
    ['too small', 1000],
  ] as const)('are those of the file if that of the sound is %s', async ([, value]) => {
    expect(await headOf(fileOf(file, stating(file, value)))).toEqual(Uint8Array.from(file.head));
  });

  test('are those of the file where no chunk follows the sound', async () => {
    const head = await headOf(Buffer.concat([stating(file, 1000), sound(soundBytes)]));
    expect(head?.subarray(file.sizeAt, file.sizeAt + file.size)).toEqual(
      Uint8Array.from(number(soundBytes + file.counted, file.size, file.isLittleEndian)),
    );
  });

  test('are within the head, whatever number is damaged', async () => {
    const bytes = fileOf(file, file.head);
    const damages = numberDamages(0, file.head.length);
    const heads = await Promise.all(damages.map((damage) => headOf(withNumber(bytes, damage))));
    expect(heads.filter((head) => head !== null && head.length > bytes.length)).toEqual([]);
  });
});

/** A file of zeros between a head and a tail. */
function largeFile(head: Buffer, contentBytes: number, tail: Buffer): PieceFile {
  const tailAt = head.length + contentBytes;
  return {
    sizeBytes: tailAt + tail.length,
    async read(startByte, endByte) {
      const bytes = Buffer.alloc(endByte - startByte);
      if (startByte < head.length) head.copy(bytes, 0, startByte);
      if (endByte > tailAt)
        tail.copy(bytes, Math.max(0, tailAt - startByte), Math.max(0, startByte - tailAt));
      return bytes;
    },
  };
}

describe('F7: more than 4 GiB of sound behind a size of 32 bits', () => {
  const contentBytes = 2 ** 32 + 8000;

  test('in WAV are read to the end of the file', async () => {
    const file = stating(riff(), 8000);
    const head = await headWithTrueSizes(largeFile(file, contentBytes, riff().tail));
    expect(head).toEqual(Uint8Array.from(stating(riff(), 2 ** 32 - 1)));
  });

  test('in MP4 have a size of 64 bits, and are at the same place', async () => {
    const { head, tail } = mp4();
    const found = await headWithTrueSizes(largeFile(stating(mp4(), 8008), contentBytes, tail));
    expect(found).toEqual(
      Uint8Array.from(
        Buffer.concat([
          box('free', Buffer.alloc(head.length - 24)),
          number(1, 4, false),
          latin('mdat'),
          number(contentBytes + 16, 8, false),
        ]),
      ),
    );
  });

  test('in MP4 need nothing if the tables come first', async () => {
    const { head } = mp4();
    const file = Buffer.concat([head.subarray(0, 16), moov, stating(mp4(), 8008).subarray(16)]);
    expect(await headWithTrueSizes(largeFile(file, contentBytes, Buffer.alloc(0)))).toBeNull();
  });
});
