import { boxesOf, type Mp4Box, type PieceFile } from './mp4-boxes.ts';

/** Version and flags, and what stands before the count: nothing in `stsc`, the size of every sample or of its field in `stsz` and `stz2` (ISO/IEC 14496-12 §8.7). */
const countAt: Readonly<Record<string, number>> = { stsc: 4, stsz: 8, stz2: 8 };
const chunkEntryBytes = 12;
/** More entries than a day of sound in chunks of a tenth of a second has. */
const entriesAtMost = 1_000_000;

async function contentOf(file: PieceFile, { contentByte, endByte }: Mp4Box, mostBytes: number): Promise<DataView> {
  const bytes = await file.read(contentByte, Math.min(endByte, contentByte + mostBytes));
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

const uint32 = (view: DataView, at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at) : 0);

/** The most samples that the table says a chunk has. */
async function longestChunk(file: PieceFile, box: Mp4Box): Promise<number> {
  const view = await contentOf(file, box, 8 + entriesAtMost * chunkEntryBytes);
  const entries = Math.min(uint32(view, countAt.stsc ?? 0), entriesAtMost, Math.floor((view.byteLength - 8) / chunkEntryBytes));
  let most = 0;
  for (let entry = 0; entry < entries; entry += 1) most = Math.max(most, uint32(view, 8 + entry * chunkEntryBytes + 4));
  return most;
}

/**
 * Whether a chunk of an MP4 file is said to have more samples than its track: damage, over which a reader that adds up their sizes one by one
 * (mediabunny 1.61) would sit for hours. False for every other file. Rejects where it cannot be read.
 */
export async function isEndlessMp4(file: PieceFile): Promise<boolean> {
  let inChunk = 0;
  let inTrack = 0;
  for await (const box of boxesOf(file)) {
    // A movie in fragments has nothing in its tables, and a track that lost one of them has nothing to be read by.
    if (box.type === 'trak' && inChunk > inTrack) return true;
    if (box.type === 'trak') [inChunk, inTrack] = [0, 0];
    else if (box.type === 'stsc') inChunk = await longestChunk(file, box);
    else if (box.type === 'stsz' || box.type === 'stz2') inTrack = uint32(await contentOf(file, box, 12), countAt[box.type] ?? 0);
  }
  return inChunk > inTrack;
}
