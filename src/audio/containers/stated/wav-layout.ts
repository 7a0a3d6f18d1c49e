import { second } from '#base/duration.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { chunkAt, chunksOf, type RiffChunk } from '#audio/containers/riff-chunks.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Limit for files made to waste time. */
const mostChunks = 1000;
/** `WAVEFORMATEXTENSIBLE`, the longest format. */
const longestFormatBytes = 40;
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
  // An interrupted recorder left both sizes 0; a file without sound states its total size.
  const isWhole = new DataView(head.buffer, head.byteOffset).getUint32(4, isLittle) === sizeBytes - 8;
  let format: Format | null = null;
  for await (const chunk of chunksOf({ sizeBytes, read }, { isLittleEndian: isLittle, most: mostChunks })) {
    const { name: kind, contentByte } = chunk;
    if (kind === 'fmt ') {
      const bytes = await read(
        contentByte,
        Math.min(sizeBytes, contentByte + Math.min(longestFormatBytes, chunk.sizeBytes)),
      );
      format = formatOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), isLittle);
    }
    if (kind === 'data')
      return format === null
        ? null
        : withData(
            format,
            { isBigEndian: !isLittle, dataAt: contentByte, statedDataBytes: chunk.sizeBytes },
            await samplesEnd({ sizeBytes, read }, { chunk, isLittle, isWhole }),
          );
  }
  return null;
}

/** What a 32-bit size counts up to before it starts at 0 again. */
const wrapBytes = 2 ** 32;
/** Fewer bytes at the end of a file are no sound worth another copy of it. */
const leastRestBytes = 256;
/** Tags that other programs put behind everything. */
const tagNames: ReadonlySet<string> = new Set(['TAG', 'ID3', 'APE', 'LYR']);
const chunkHeaderBytes = 8;
const chunkName = /^[ -~]{4}$/;

/** Whether a chunk or a tag begins at an offset: a name, and a size that ends within the file. */
async function isChunkAt(
  { sizeBytes, read }: PieceFile,
  atByte: number,
  isLittle: boolean,
): Promise<boolean> {
  const chunk = chunkAt(await read(atByte, Math.min(sizeBytes, atByte + chunkHeaderBytes)), 0, isLittle);
  if (chunk === null || !chunkName.test(chunk.name)) return false;
  return tagNames.has(chunk.name.slice(0, 3)) || atByte + chunkHeaderBytes + chunk.sizeBytes <= sizeBytes;
}

/**
 * Where the samples end. A size in 32 bits starts at 0 again at 4 GiB, and recorders in the field write others that say
 * less than the file holds. If no chunk begins where the samples are said to end, they continue: to the place that is
 * some 4 GiB later if a chunk begins there, otherwise to the end of the file.
 */
async function samplesEnd(
  file: PieceFile,
  { chunk, isLittle, isWhole }: { chunk: RiffChunk; isLittle: boolean; isWhole: boolean },
): Promise<{ endByte: number; isCutShort: boolean }> {
  const { contentByte, sizeBytes: statedBytes } = chunk;
  const { sizeBytes } = file;
  const isUnknown = (statedBytes === 0 && !isWhole) || statedBytes === wrapBytes - 1;
  if (isUnknown || contentByte + statedBytes >= sizeBytes) return { endByte: sizeBytes, isCutShort: false };
  for (
    let endByte = contentByte + statedBytes;
    endByte + chunkHeaderBytes <= sizeBytes;
    endByte += wrapBytes
  ) {
    const isCutShort = endByte > contentByte + statedBytes;
    // Some programs leave out the byte that makes the next offset even.
    for (const atByte of new Set([endByte + (statedBytes & 1), endByte]))
      if (await isChunkAt(file, atByte, isLittle)) return { endByte, isCutShort };
  }
  const isCutShort = sizeBytes - contentByte - statedBytes >= leastRestBytes;
  return { endByte: isCutShort ? sizeBytes : contentByte + statedBytes, isCutShort };
}

function withData(
  format: Format,
  place: Pick<WavLayout, 'isBigEndian' | 'dataAt' | 'statedDataBytes'>,
  { endByte, isCutShort }: { endByte: number; isCutShort: boolean },
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
