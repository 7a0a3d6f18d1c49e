import { boxesOf, type Mp4Box, type PieceFile, TooManyBoxesError } from '#audio/containers/mp4-boxes.ts';
import type { StatedFacts } from './stated-facts.ts';

/** Version, flags, a count and a thousand entries of twenty bytes. */
const maxEditBytes = 8 + 8 + 20_000;
const rateOne = 0x0001_0000;

/** Whether an edit list plays several parts of its track, or changes the speed (ISO/IEC 14496-12 §8.6.6). */
async function playsParts(file: PieceFile, { contentByte, endByte }: Mp4Box): Promise<boolean> {
  const bytes = await file.read(contentByte, Math.min(endByte, contentByte + maxEditBytes));
  if (bytes.length < 16 || String.fromCharCode(...bytes.subarray(4, 8)) !== 'elst') return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLong = view.getUint8(8) === 1;
  const entryBytes = isLong ? 20 : 12;
  let parts = 0;
  for (
    let at = 16, left = view.getUint32(12);
    left > 0 && at + entryBytes <= view.byteLength;
    at += entryBytes, left -= 1
  ) {
    const mediaTime = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    if (mediaTime >= 0 && view.getInt32(at + entryBytes - 4) !== rateOne) return true;
    if (mediaTime >= 0) parts += 1;
  }
  return parts > 1;
}

/**
 * Facts stated by an MP4 file. Its tables provide an index and a length; a fragmented file has neither until it is
 * loaded.
 */
export async function mp4Facts(file: PieceFile): Promise<StatedFacts> {
  const obstacles = new Set<StatedFacts['obstacles'][number]>();
  try {
    for await (const box of boxesOf(file)) {
      if (box.type === 'mvex' || box.type === 'moof') {
        obstacles.add('no-index');
        break;
      }
      if (box.type === 'edts' && (await playsParts(file, box))) obstacles.add('edits');
    }
  } catch (error) {
    if (!(error instanceof TooManyBoxesError)) throw error;
    obstacles.add('no-index');
  }
  return { obstacles: [...obstacles], lengthsMs: [] };
}
