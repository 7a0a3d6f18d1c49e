import { second } from '#base/duration.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { chunksOf, type RiffChunk } from '#audio/containers/riff-chunks.ts';
import { bigEndianWave, type ChunkFamily, wave } from '#audio/containers/sizes/chunk-families.ts';
import { type EndOfSound, endOfSound } from '#audio/containers/sizes/end-of-sound.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Limit for files made to waste time. */
const maxChunks = 1000;
/** `WAVEFORMATEXTENSIBLE`, the longest format. */
const maxFormatBytes = 40;
const extensible = 0xfffe;
/** PCM, floating point, A-law, µ-law: a sample of one channel is a whole number of bytes. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7]);

/** The layout of the samples in a WAV file. */
export interface WavLayout {
  isBigEndian: boolean;
  /** The code in `WAVEFORMATEX`, or in the GUID if that is extensible. */
  format: number;
  channels: number;
  sampleRateHz: number;
  /** Bytes per sample of one channel. */
  bytesPerSample: number;
  /** How many bits of a sample carry sound; the others are zero. */
  validBits: number;
  dataAt: number;
  /** The size in the header; 0 or 0xffffffff if a recorder did not finish it. */
  statedDataBytes: number;
  /** Bytes of samples in the file, in whole frames. */
  dataBytes: number;
  /** Whether the header says less than the file holds, so that most readers stop early. */
  isCutShort: boolean;
}

type Format = Pick<WavLayout, 'format' | 'channels' | 'sampleRateHz' | 'bytesPerSample' | 'validBits'>;

function formatOf(view: DataView, isLittle: boolean): Format | null {
  if (view.byteLength < 16) return null;
  const [code, bits] = [view.getUint16(0, isLittle), view.getUint16(14, isLittle)];
  const isExtensible = code === extensible && view.byteLength >= 28;
  const format = isExtensible ? view.getUint32(24, isLittle) & 0xffff : code;
  const stated = isExtensible ? view.getUint16(18, isLittle) : 0;
  return {
    format,
    channels: view.getUint16(2, isLittle),
    sampleRateHz: view.getUint32(4, isLittle),
    bytesPerSample: Math.ceil(bits / 8),
    validBits: stated === 0 ? bits : Math.min(bits, stated),
  };
}

/** Reads the sample layout of a RIFF or RIFX file; null if its samples are encoded, or it is another kind of file. */
export async function wavLayout({ sizeBytes, read }: PieceFile): Promise<WavLayout | null> {
  const head = await read(0, Math.min(sizeBytes, 12));
  const name = String.fromCharCode(...head.subarray(0, 4));
  if (
    head.length < 12 ||
    (name !== 'RIFF' && name !== 'RIFX') ||
    String.fromCharCode(...head.subarray(8)) !== 'WAVE'
  )
    return null;
  const isLittle = name === 'RIFF';
  let format: Format | null = null;
  for await (const chunk of chunksOf({ sizeBytes, read }, { isLittleEndian: isLittle, max: maxChunks })) {
    const { name: kind, contentByte } = chunk;
    if (kind === 'fmt ') {
      const bytes = await read(
        contentByte,
        Math.min(sizeBytes, contentByte + Math.min(maxFormatBytes, chunk.sizeBytes)),
      );
      format = formatOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), isLittle);
    }
    if (kind === 'data')
      return format === null
        ? null
        : withData(
            format,
            { isBigEndian: !isLittle, dataAt: contentByte, statedDataBytes: chunk.sizeBytes },
            await samplesEnd({ sizeBytes, read }, chunk, isLittle ? wave : bigEndianWave),
          );
  }
  return null;
}

/** Where the samples end. A recorder that was interrupted left the size 0, which most readers understand. */
async function samplesEnd(
  file: PieceFile,
  { contentByte, sizeBytes: statedBytes }: RiffChunk,
  family: ChunkFamily,
): Promise<EndOfSound> {
  const end = await endOfSound(file, { contentByte, statedBytes, sizeBytes: 4 }, family);
  return { ...end, isCutShort: end.isCutShort && statedBytes > 0 };
}

function withData(
  format: Format,
  place: Pick<WavLayout, 'isBigEndian' | 'dataAt' | 'statedDataBytes'>,
  { endByte, isCutShort }: EndOfSound,
): WavLayout | null {
  const frameBytes = format.channels * format.bytesPerSample;
  if (!plainFormats.has(format.format) || frameBytes === 0 || format.sampleRateHz === 0) return null;
  const dataBytes = endByte - place.dataAt;
  return { ...format, ...place, isCutShort, dataBytes: dataBytes - (dataBytes % frameBytes) };
}

/**
 * Whether readers disagree about the samples. Browsers and ffmpeg ignore the byte order of RIFX. Chromium rejects
 * samples with fewer valid bits than bytes, and ffmpeg uses the valid bits as the size.
 */
const isMisread = ({ isBigEndian, bytesPerSample, validBits }: WavLayout): boolean =>
  isBigEndian || Math.ceil(validBits / 8) !== bytesPerSample;

export const wavLengthMs = ({ dataBytes, channels, bytesPerSample, sampleRateHz }: WavLayout): number =>
  (dataBytes / (channels * bytesPerSample * sampleRateHz)) * second;

/** Facts stated by a WAV file; none if its samples are encoded. */
export async function wavFacts(file: PieceFile): Promise<StatedFacts> {
  const layout = await wavLayout(file);
  if (layout === null) return { obstacles: [], lengthsMs: [] };
  return {
    obstacles: [
      ...(isMisread(layout) ? ['layout' as const] : []),
      ...(layout.statedDataBytes === 0 ? ['no-length' as const] : []),
      ...(layout.isCutShort ? ['cut-short' as const] : []),
    ],
    lengthsMs: [wavLengthMs(layout)],
  };
}
