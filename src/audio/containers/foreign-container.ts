import { wavCodecOf } from './wav-codec.ts';

/**
 * A container of sound that our parser does not read, but ffmpeg may. `demuxer`: ffmpeg's name for it, if only one
 * demuxer reads it.
 */
export interface ForeignContainer {
  container: 'aiff' | 'caf' | 'ogg' | 'other';
  demuxer?: string;
}

interface Signature {
  at: number;
  bytes: string;
  means: ForeignContainer;
}

const other: ForeignContainer = { container: 'other' };

/** Containers and streams recognised by bytes at one offset, in Latin-1. */
const others: readonly (readonly [at: number, ...bytes: string[]])[] = [
  // Interchange files: Amiga's 8SVX and its 16-bit version, Maud. RIFF files: AVI, Qualcomm's, video CDs.
  [8, '8SVX', '16SV', 'MAUD', 'AVI ', 'QLCM', 'CDXA'],
  // WAV with 64-bit sizes: RF64 and BW64, which some browsers read, and Sony's.
  [0, 'RF64', 'BW64', 'riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb'],
  // Laboratories and workstations: NIST Sphere, Sound Blaster, IRCAM in both byte orders, Sun, DSD.
  [
    0,
    'NIST_1A\n',
    'Creative Voice File\x1a',
    '\x64\xa3\x01\0',
    '\x64\xa3\x02\0',
    '\x64\xa3\x03\0',
    '\x64\xa3\x04\0',
    '\0\x01\xa3\x64',
    '\0\x02\xa3\x64',
    '\0\x03\xa3\x64',
    '\0\x04\xa3\x64',
  ],
  [0, '.snd', 'DSD ', 'FRM8'],
  // Dictation machines and telephones: Olympus and Philips, AMR.
  [0, '\x02dss', '\x03dss', '#!AMR'],
  // Lossless compression: WavPack, Monkey's Audio, True Audio, TAK, Shorten. Musepack; Sony's OpenMG.
  [0, 'wvpk', 'MAC ', 'TTA1', 'TTA2', 'tBaK', 'ajkg', 'MPCK', 'MP+', 'EA3\x03', 'ea3\x03'],
  // Broadcasting: MXF, NUT, Dolby Digital, DTS.
  [0, '\x06\x0e\x2b\x34\x02\x05\x01\x01', 'nut/multimedia container\0', '\x0b\x77', '\x7f\xfe\x80\x01'],
  // Advanced Systems Format with WMA and WMV (its header object's GUID); an MPEG program stream; Flash; RealMedia.
  [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11', '\0\0\x01\xba', 'FLV\x01', '.RMF', '.ra\xfd'],
];

const signatures: readonly Signature[] = [
  { at: 8, bytes: 'AIFF', means: { container: 'aiff' } },
  { at: 8, bytes: 'AIFC', means: { container: 'aiff' } },
  { at: 0, bytes: 'caff', means: { container: 'caf', demuxer: 'caf' } },
  // Known containers with a codec that our parser does not know.
  { at: 28, bytes: '\x7fFLAC', means: { container: 'ogg' } },
  { at: 28, bytes: 'Speex   ', means: { container: 'ogg' } },
  ...others.flatMap(([at, ...all]) => all.map((bytes) => ({ at, bytes, means: other }))),
];

/** Codecs of WAV that our parser reads: integers, floating point, A-law and µ-law. */
const readCodecs: ReadonlySet<number> = new Set([0x0001, 0x0003, 0x0006, 0x0007]);

const maxSignatureBytes = 36;

/**
 * How many bytes at the start of a file `foreignContainerOf` needs: recorders write chunks of some kilobytes
 * before the one with the codec.
 */
export const signatureBytes = 64 * 1024;

/**
 * Whether the bytes are a LATM frame (a sync word of eleven bits, a length of thirteen) followed by another frame.
 */
function isLatm(head: Uint8Array): boolean {
  const isSync = (at: number) => head[at] === 0x56 && ((head[at + 1] ?? 0) & 0xe0) === 0xe0;
  return isSync(0) && isSync(3 + ((((head[1] ?? 0) & 0x1f) << 8) | (head[2] ?? 0)));
}

/**
 * Recognises containers of sound by their first bytes. Null if none matches, though the file may still contain
 * sound.
 */
export function foreignContainerOf(head: Uint8Array): ForeignContainer | null {
  const text = String.fromCharCode(...head.subarray(0, maxSignatureBytes));
  const known = signatures.find(({ at, bytes }) => text.startsWith(bytes, at));
  if (known !== undefined) return known.means;
  const wavCodec = wavCodecOf(head);
  return isLatm(head) || (wavCodec !== null && !readCodecs.has(wavCodec)) ? other : null;
}
