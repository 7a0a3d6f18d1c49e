import { second } from '#base/duration.ts';
import type { PieceFile } from '#audio/containers/mp4-boxes.ts';
import { chunksOf } from '#audio/containers/riff-chunks.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Of a file made to keep us busy. */
const mostChunks = 1000;
/** `WAVEFORMATEXTENSIBLE`, the longest one. */
const longestFormatBytes = 40;
const extensible = 0xfffe;
/** PCM, floating point, A-law, µ-law: one sample of one channel is so many whole bytes. */
const plainFormats: ReadonlySet<number> = new Set([1, 3, 6, 7]);

/** How the samples of a WAV file lie in it. */
export interface WavLayout {
  isBigEndian: boolean;
  /** The code of `WAVEFORMATEX`, that of the GUID where it is extensible. */
  format: number;
  channels: number;
  sampleRateHz: number;
  /** Of one sample of one channel. */
  bytesPerSample: number;
  /** How many bits of a sample carry sound; the others are zero. */
  validBits: number;
  dataAt: number;
  /** As the header states it; 0 and 0xffffffff where a recorder did not get to write it. */
  statedDataBytes: number;
  /** What of the samples is there: whole frames. */
  dataBytes: number;
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

/**
 * Reads how the samples of a RIFF or RIFX file lie; null where they are no plain samples, or this is no such
 * file.
 */
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
  // A recorder that was cut off wrote neither size; a file without sound has both.
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
        : withData(format, {
            isBigEndian: !isLittle,
            dataAt: contentByte,
            statedDataBytes: chunk.sizeBytes,
            sizeBytes,
            isWhole,
          });
  }
  return null;
}

function withData(
  format: Format,
  {
    sizeBytes,
    isWhole,
    ...place
  }: Pick<WavLayout, 'isBigEndian' | 'dataAt' | 'statedDataBytes'> & { sizeBytes: number; isWhole: boolean },
): WavLayout | null {
  const frameBytes = format.channels * format.bytesPerSample;
  if (!plainFormats.has(format.format) || frameBytes === 0 || format.sampleRateHz === 0) return null;
  const leftBytes = sizeBytes - place.dataAt;
  const isUnknown = (place.statedDataBytes === 0 && !isWhole) || place.statedDataBytes === 0xffff_ffff;
  const dataBytes = isUnknown ? leftBytes : Math.min(leftBytes, place.statedDataBytes);
  return { ...format, ...place, dataBytes: dataBytes - (dataBytes % frameBytes) };
}

/**
 * Whether readers disagree over such samples: the order of bytes in RIFX is missed by browsers and by ffmpeg;
 * samples with fewer bits than their bytes hold are refused by Chromium, and ffmpeg takes the valid bits for
 * the size.
 */
const isMisread = ({ isBigEndian, bytesPerSample, validBits }: WavLayout): boolean =>
  isBigEndian || Math.ceil(validBits / 8) !== bytesPerSample;

export const wavLengthMs = ({ dataBytes, channels, bytesPerSample, sampleRateHz }: WavLayout): number =>
  (dataBytes / (channels * bytesPerSample * sampleRateHz)) * second;

/** What a WAV file states of itself; nothing where its samples are encoded. */
export async function wavFacts(file: PieceFile): Promise<StatedFacts> {
  const layout = await wavLayout(file);
  if (layout === null) return { obstacles: [], lengthsMs: [] };
  return {
    obstacles: [
      ...(isMisread(layout) ? ['layout' as const] : []),
      ...(layout.statedDataBytes === 0 ? ['no-length' as const] : []),
    ],
    lengthsMs: [wavLengthMs(layout)],
  };
}
