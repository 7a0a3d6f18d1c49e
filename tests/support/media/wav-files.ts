import { soundsFromMs } from './ffmpeg-files.ts';

export interface MadeSamples {
  seconds?: number;
  rateHz?: number;
  channels?: number;
  bits?: 8 | 16 | 24 | 32 | 64;
  isFloat?: boolean;
  isBigEndian?: boolean;
  validBits?: number;
  format?: number;
}

const fullScale = { 8: 127, 16: 32_767, 24: 8_388_607, 32: 2_147_483_647, 64: 1 };

function sampleBytes(
  value: number,
  { bits = 16, isFloat = false, isBigEndian = false, validBits = bits }: MadeSamples,
): Buffer {
  const bytes = Buffer.alloc(bits / 8);
  if (isFloat && bits === 64) bytes.writeDoubleLE(value);
  else if (isFloat) bytes.writeFloatLE(value);
  else if (bits === 8) bytes.writeUInt8(128 + Math.round(value * fullScale[8]));
  else {
    const unused = bits - validBits;
    bytes.writeIntLE(
      Math.floor(Math.round(value * fullScale[bits]) / 2 ** unused) * 2 ** unused,
      0,
      bits / 8,
    );
  }
  return isBigEndian ? bytes.reverse() : bytes;
}

/** Samples of a tone after a second of silence. */
function toneSamples(made: MadeSamples): Buffer {
  const { seconds = 3, rateHz = 8000, channels = 1 } = made;
  return Buffer.concat(
    Array.from({ length: seconds * rateHz }, (_, frame) => {
      const value =
        (frame * 1000) / rateHz < soundsFromMs ? 0 : 0.5 * Math.sin((2 * Math.PI * 440 * frame) / rateHz);
      return Buffer.concat(Array.from({ length: channels }, () => sampleBytes(value, made)));
    }),
  );
}

/** A WAV file of these chunks. */
export function wavOf(
  chunks: readonly (readonly [string, Buffer])[],
  { isBigEndian = false, sizeBytes }: { isBigEndian?: boolean; sizeBytes?: number } = {},
): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (isBigEndian) bytes.writeUInt32BE(value);
    else bytes.writeUInt32LE(value);
    return bytes;
  };
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    ...chunks.map(([id, content]) =>
      Buffer.concat([Buffer.from(id), number(content.length), content, Buffer.alloc(content.length % 2)]),
    ),
  ]);
  return Buffer.concat([Buffer.from(isBigEndian ? 'RIFX' : 'RIFF'), number(sizeBytes ?? body.length), body]);
}

/** The `fmt ` chunk, extensible if a sample has fewer valid bits than its bytes hold. */
export function wavFormat(made: MadeSamples): Buffer {
  const { rateHz, channels, bits, isBigEndian, validBits } = {
    rateHz: 8000,
    channels: 1,
    bits: 16,
    isBigEndian: false,
    ...made,
  };
  const format = made.format ?? (made.isFloat === true ? 3 : 1);
  const isExtensible = validBits !== undefined;
  const field = (value: number, size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    bytes.writeUIntLE(value, 0, size);
    return isBigEndian ? bytes.reverse() : bytes;
  };
  const plain = [
    field(isExtensible ? 0xfffe : format, 2),
    field(channels, 2),
    field(rateHz, 4),
    field((rateHz * channels * bits) / 8, 4),
    field((channels * bits) / 8, 2),
    field(bits, 2),
  ];
  const further = isExtensible
    ? [
        field(22, 2),
        field(validBits, 2),
        field((1 << channels) - 1, 4),
        field(format, 4),
        Buffer.from('00001000800000aa00389b71', 'hex'),
      ]
    : [];
  return Buffer.concat([...plain, ...further]);
}

/** A complete WAV file with these sample options. */
export const wavFile = (made: MadeSamples): Buffer =>
  wavOf(
    [
      ['fmt ', wavFormat(made)],
      ['data', toneSamples(made)],
    ],
    { isBigEndian: made.isBigEndian ?? false },
  );

/** The same file as written by a recorder that lost power or wrote to a pipe: without either size. */
export function withoutSizes(wav: Buffer): Buffer {
  const bytes = Buffer.from(wav);
  bytes.writeUInt32LE(0, 4);
  bytes.writeUInt32LE(0, bytes.indexOf('data') + 4);
  return bytes;
}
