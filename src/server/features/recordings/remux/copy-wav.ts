import { wavLayout, type WavLayout } from '#audio/containers/stated/wav-layout.ts';
import type { ReadableFile } from './packet-reader.ts';

const headerBytes = 44;
/** A header of 32 bits states no more. Browsers don't read the ones of 64 bits alike. */
const maxDataBytes = 2 ** 32 - headerBytes;
const pieceFrames = 64 * 1024;

/** The WAV format that all players and ffmpeg read alike: little-endian, full bit depth, floats of 32 bits. */
type Plain = Pick<WavLayout, 'format' | 'channels' | 'sampleRateHz' | 'bytesPerSample'> & {
  dataBytes: number;
};

const floatFormat = 3;
const plainOf = (layout: WavLayout): Plain =>
  isDouble(layout) ? { ...layout, bytesPerSample: 4, dataBytes: layout.dataBytes / 2 } : layout;
const isDouble = ({ format, bytesPerSample }: Pick<WavLayout, 'format' | 'bytesPerSample'>): boolean =>
  format === floatFormat && bytesPerSample === 8;

function headerOf({ format, channels, sampleRateHz, bytesPerSample, dataBytes }: Plain): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * channels * bytesPerSample, 28);
  header.writeUInt16LE(channels * bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** Reverses the byte order of every sample. */
function turned(bytes: Uint8Array, bytesPerSample: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += bytesPerSample) {
    for (let index = 0; index < bytesPerSample; index += 1)
      out[at + index] = bytes[at + bytesPerSample - 1 - index] ?? 0;
  }
  return out;
}

function asFloats(bytes: Uint8Array): Uint8Array {
  const from = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const to = new DataView(new ArrayBuffer(bytes.length / 2));
  for (let at = 0; at < bytes.length; at += 8) to.setFloat32(at / 2, from.getFloat64(at, true), true);
  return new Uint8Array(to.buffer);
}

/**
 * Writes the samples of a WAV file behind a header that every reader understands, in constant memory. The samples
 * are not changed.
 * @returns false if they are not uncompressed samples, or more than a header can state
 */
export async function copyWav(
  file: ReadableFile,
  give: (bytes: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const layout = await wavLayout(file);
  if (layout === null || layout.dataBytes === 0) return false;
  const plain = plainOf(layout);
  if (plain.dataBytes > maxDataBytes) return false;
  await give(headerOf(plain));
  const pieceBytes = pieceFrames * layout.channels * layout.bytesPerSample;
  const endByte = layout.dataAt + layout.dataBytes;
  for (let at = layout.dataAt; at < endByte; at += pieceBytes) {
    signal.throwIfAborted();
    const bytes = await file.read(at, Math.min(endByte, at + pieceBytes));
    const ordered = layout.isBigEndian ? turned(bytes, layout.bytesPerSample) : bytes;
    await give(isDouble(layout) ? asFloats(ordered) : ordered);
  }
  return true;
}
