/** How a family of containers writes its chunks: a name and a size, and then the content. */
export interface ChunkFamily {
  isLittleEndian: boolean;
  nameBytes: 4 | 16;
  sizeBytes: 4 | 8;
  /** Whether the size precedes the name. */
  isSizeFirst: boolean;
  /** Whether the size includes the header of the chunk. */
  countsHeader: boolean;
  /** Each chunk begins at a multiple of this. */
  alignedTo: 1 | 2 | 8;
  firstChunkByte: number;
  /** The chunk with the sound. */
  soundName: RegExp;
  /** What the name of a chunk looks like. */
  name: RegExp;
  /** Finds names of chunks that programs write behind the sound. */
  trailingNames: RegExp;
  /** How many bytes at the end of a file are searched for such chunks. */
  maxTrailingBytes: number;
  /** Where the file states its own size, if readers stop there, and from where that counts. */
  whole: { atByte: number; fromByte: number } | null;
}

/** WAVE (RIFF), also with the sizes of 64 bits in `ds64` (EBU Tech 3306, ITU-R BS.2088), and Qualcomm's QCP. */
export const wave: ChunkFamily = {
  isLittleEndian: true,
  nameBytes: 4,
  sizeBytes: 4,
  isSizeFirst: false,
  countsHeader: false,
  alignedTo: 2,
  firstChunkByte: 12,
  soundName: /^data$/,
  name: /^[ -~]{4}$/,
  trailingNames: /(?:LIST|list|id3 |ID3 |bext|iXML|axml|cue |smpl|plst|inst|fact|PEAK|JUNK|PAD |_PMX|afsp)/g,
  maxTrailingBytes: 2 ** 20,
  whole: null,
};

export const bigEndianWave: ChunkFamily = { ...wave, isLittleEndian: false };

/** AIFF, AIFC and the formats of the Amiga (EA IFF 85). */
const iff: ChunkFamily = {
  ...bigEndianWave,
  soundName: /^(?:SSND|BODY|MDAT)$/,
  trailingNames: /(?:COMM|MARK|INST|MIDI|AESD|APPL|COMT|NAME|AUTH|\(c\) |ANNO|ID3 |CHAN)/g,
  whole: { atByte: 4, fromByte: 8 },
};

/** Apple's Core Audio Format. */
const coreAudio: ChunkFamily = {
  ...bigEndianWave,
  sizeBytes: 8,
  alignedTo: 1,
  firstChunkByte: 8,
  trailingNames: /(?:pakt|info|mark|regn|strg|midi|ovvw|peak|umid|uuid|free)/g,
};

/** A pattern of the bytes of a GUID, in hexadecimal digits. */
const guid = (digits: string): string => digits.replaceAll(/../g, String.raw`\x$&`);
const wave64Rest = guid('f3acd3118cd100c04f8edb8a');
const wave64Name = `[ -~]{4}${wave64Rest}`;

/** Sony's Wave64. */
const wave64: ChunkFamily = {
  ...wave,
  nameBytes: 16,
  sizeBytes: 8,
  countsHeader: true,
  alignedTo: 8,
  firstChunkByte: 40,
  soundName: new RegExp(`^data${wave64Rest}$`),
  name: new RegExp(`^${wave64Name}$`),
  trailingNames: new RegExp(wave64Name, 'g'),
  whole: { atByte: 16, fromByte: 0 },
};

/** The indexes that follow the sound in an Advanced Systems Format file: plain, by time, by object. */
const asfIndexes = [
  '90080033b1e5cf1189f400a0c90349cb',
  'd329e2d6da35d111903400a0c90349be',
  'f803b1fead12644c840f2a1d2f7ad48c',
]
  .map(guid)
  .join('|');

/** Advanced Systems Format: WMA and WMV. */
const advancedSystems: ChunkFamily = {
  ...wave64,
  alignedTo: 1,
  firstChunkByte: 0,
  soundName: new RegExp(`^${guid('3626b2758e66cf11a6d900aa0062ce6c')}$`),
  name: new RegExp(`^(?:${asfIndexes})$`),
  trailingNames: new RegExp(asfIndexes, 'g'),
  whole: null,
};

/** MP4 and QuickTime (ISO/IEC 14496-12 §4.2). */
const mp4: ChunkFamily = {
  ...bigEndianWave,
  isSizeFirst: true,
  countsHeader: true,
  alignedTo: 1,
  firstChunkByte: 0,
  soundName: /^mdat$/,
  trailingNames: /(?:moov|free|skip|wide|udta|meta|uuid|mfra)/g,
  // The tables of a day of sound.
  maxTrailingBytes: 2 ** 24,
};

const iffForms: ReadonlySet<string> = new Set(['AIFF', 'AIFC', '8SVX', '16SV', 'MAUD']);
const waveForms: ReadonlySet<string> = new Set(['WAVE', 'QLCM']);
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'mdat', 'wide', 'free', 'skip']);
const wave64Start = new RegExp(`^riff${guid('2e91cf11a5d628db')}`);
const asfStart = new RegExp(`^${guid('3026b2758e66cf11')}`);

/** How many bytes at the start of a file `familyOf` needs. */
export const familyBytes = 12;

/** The family of a file by its first bytes; null if it states the size of its sound in no chunk. */
export function familyOf(head: Uint8Array): ChunkFamily | null {
  const start = String.fromCharCode(...head.subarray(0, familyBytes));
  const [first, second, third] = [start.slice(0, 4), start.slice(4, 8), start.slice(8)];
  if (first === 'RIFX') return third === 'WAVE' ? bigEndianWave : null;
  if (/^(?:RIFF|RF64|BW64)$/.test(first)) return waveForms.has(third) ? wave : null;
  if (first === 'FORM') return iffForms.has(third) ? iff : null;
  if (first === 'caff') return coreAudio;
  if (wave64Start.test(start)) return wave64;
  if (asfStart.test(start)) return advancedSystems;
  return firstBoxes.has(second) ? mp4 : null;
}
