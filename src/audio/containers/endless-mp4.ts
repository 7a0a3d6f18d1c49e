import { boundedCount } from '#base/numbers/untrusted-numbers.ts';
import { boxesOf, TooManyBoxesError, type Mp4Box, type PieceFile } from './mp4-boxes.ts';

/**
 * Offset of the count: after version and flags in `stsc`, and also after the size of every sample or of its field
 * in `stsz` and `stz2` (ISO/IEC 14496-12 §8.7).
 */
const countAt: Readonly<Record<string, number>> = { stsc: 4, stsz: 8, stz2: 8 };
const chunkEntryBytes = 12;
/** More entries than a day of sound in chunks of a tenth of a second has. */
const entriesAtMost = 1_000_000;

async function contentOf(
  file: PieceFile,
  { contentByte, endByte }: Mp4Box,
  maxBytes: number,
): Promise<DataView> {
  const bytes = await file.read(contentByte, Math.min(endByte, contentByte + maxBytes));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

const uint32 = (view: DataView, at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at) : 0);

/** The largest number of samples in a chunk, by the table. */
async function maxChunk(file: PieceFile, box: Mp4Box): Promise<number> {
  const view = await contentOf(file, box, 8 + entriesAtMost * chunkEntryBytes);
  const entries = Math.min(
    entriesAtMost,
    boundedCount(uint32(view, countAt.stsc ?? 0), {
      leftBytes: view.byteLength - 8,
      bytesEach: chunkEntryBytes,
    }),
  );
  let max = 0;
  for (let entry = 0; entry < entries; entry += 1)
    max = Math.max(max, uint32(view, 8 + entry * chunkEntryBytes + 4));
  return max;
}

/**
 * Flags of a run of samples that list the fields of each sample: duration, size, flags, composition time (ISO/IEC
 * 14496-12 §8.8.8).
 */
const fieldsOfSamples = 0xf00;

/** The number of samples that a run of a fragment claims without a byte for any of them in its table. */
async function bareSamples(file: PieceFile, box: Mp4Box): Promise<number> {
  const view = await contentOf(file, box, 8);
  return (uint32(view, 0) & fieldsOfSamples) === 0 ? uint32(view, 4) : 0;
}

/** Whether samples that all have one size are more than the file has bytes. */
const isMoreThan = (fileBytes: number, view: DataView): boolean =>
  uint32(view, 4) * uint32(view, 8) > fileBytes;

/** The claims of one track. */
interface Claims {
  inChunk: number;
  inTrack: number;
  isImpossible: boolean;
}

/** The claims of a box about its track. */
async function claimsOf(file: PieceFile, box: Mp4Box): Promise<Partial<Claims>> {
  if (box.type === 'trak') return { inChunk: 0, inTrack: 0, isImpossible: false };
  if (box.type === 'stsc') return { inChunk: await maxChunk(file, box) };
  if (box.type !== 'stsz' && box.type !== 'stz2') return {};
  const view = await contentOf(file, box, 12);
  return {
    inTrack: uint32(view, countAt[box.type] ?? 0),
    isImpossible: box.type === 'stsz' && isMoreThan(file.sizeBytes, view),
  };
}

async function claimsTooMuch(file: PieceFile): Promise<boolean> {
  let claims: Claims = { inChunk: 0, inTrack: 0, isImpossible: false };
  let inFragments = 0;
  for await (const box of boxesOf(file)) {
    // A fragmented movie has empty tables, and a track that lost one of its tables cannot be read.
    if (box.type === 'trak' && claims.inChunk > claims.inTrack) return true;
    if (box.type === 'trun') inFragments += await bareSamples(file, box);
    if (inFragments > file.sizeBytes) return true;
    claims = { ...claims, ...(await claimsOf(file, box)) };
    if (claims.isImpossible) return true;
  }
  return claims.inChunk > claims.inTrack;
}

/**
 * Whether an MP4 file claims more samples in a chunk than in its track, more samples than the file has bytes, or has
 * more boxes than any recorder writes. A reader that adds up sizes or lists samples one by one (mediabunny 1.61) would
 * run for hours on such damage or fill its memory. False for every other file. Rejects if the file cannot be read.
 */
export async function isEndlessMp4(file: PieceFile): Promise<boolean> {
  try {
    return await claimsTooMuch(file);
  } catch (error) {
    if (error instanceof TooManyBoxesError) return true;
    throw error;
  }
}
