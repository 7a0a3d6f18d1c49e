/** A file that is read in pieces; a piece is shorter at the end of the file. */
export interface PieceFile {
  sizeBytes: number;
  read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;
}

/** A box of an MP4 file, and whether it is an entry of a sample table. */
export interface Mp4Box {
  type: string;
  contentByte: number;
  endByte: number;
  isSampleEntry: boolean;
}

const maxHeaderBytes = 16;
/** A day in fragments of a second has 600,000. A file with more than this is made to waste time. */
export const maxMp4Boxes = 1_000_000;
/** Depth of the boxes that lead to the tables: `moov/trak/mdia/minf/stbl/stsd` and an entry, plus one. */
const deepestLevel = 8;
/** The small boxes of a fragment are adjacent, so one read covers all of them. */
const windowBytes = 4096;
/** Version, flags and count precede the entries of `stsd` (ISO/IEC 14496-12 §8.5.2). */
const beforeEntriesBytes = 8;
/** The boxes that contain the sample tables (ISO/IEC 14496-12 §8.1–8.5), and those of fragments (§8.8). */
const folders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

/**
 * Thrown if a file has more boxes than any recorder writes, so that a caller does not take the first ones for the
 * whole file.
 */
export class TooManyBoxesError extends Error {
  constructor() {
    super(`the file has more than ${maxMp4Boxes} boxes`);
    this.name = 'TooManyBoxesError';
  }
}

/** Reads headers through a window that moves with the traversal. */
function throughWindow({ sizeBytes, read }: PieceFile): PieceFile {
  let [fromByte, bytes] = [0, new Uint8Array(0)];
  return {
    sizeBytes,
    read: async (startByte, endByteExclusive) => {
      if (startByte < fromByte || endByteExclusive > fromByte + bytes.length) {
        bytes = new Uint8Array(
          await read(startByte, Math.min(sizeBytes, Math.max(endByteExclusive, startByte + windowBytes))),
        );
        fromByte = startByte;
      }
      return bytes.subarray(startByte - fromByte, endByteExclusive - fromByte);
    },
  };
}

async function boxAt(
  { read }: PieceFile,
  startByte: number,
  endByte: number,
): Promise<Omit<Mp4Box, 'isSampleEntry'> | null> {
  const bytes = await read(startByte, Math.min(endByte, startByte + maxHeaderBytes));
  if (bytes.length < 8) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const short = header.getUint32(0);
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  // 1 means that an eight-byte length follows the name, 0 that the box extends to the end.
  const headerBytes = short === 1 ? maxHeaderBytes : 8;
  if (bytes.length < headerBytes) return null;
  const sizeBytes = short === 1 ? Number(header.getBigUint64(8)) : short || endByte - startByte;
  return sizeBytes < headerBytes
    ? null
    : { type, contentByte: startByte + headerBytes, endByte: Math.min(endByte, startByte + sizeBytes) };
}

/**
 * The boxes of an MP4 file down to its sample tables, each before its content. For any other file, whatever looks
 * like boxes. Rejects if the file cannot be read.
 * @throws TooManyBoxesError instead of the first box over the limit
 */
export async function* boxesOf(file: PieceFile): AsyncGenerator<Mp4Box, void, unknown> {
  const headers = throughWindow(file);
  const waiting = [{ startByte: 0, endByte: file.sizeBytes, isSampleEntry: false, level: 1 }];
  for (let count = 0; ;) {
    const place = waiting.pop();
    if (place === undefined) return;
    const box = place.startByte < place.endByte ? await boxAt(headers, place.startByte, place.endByte) : null;
    if (box === null) continue;
    if (count === maxMp4Boxes) throw new TooManyBoxesError();
    count += 1;
    yield { ...box, isSampleEntry: place.isSampleEntry };
    waiting.push({ ...place, startByte: box.endByte });
    if (place.level === deepestLevel) continue;
    const inside = { endByte: box.endByte, level: place.level + 1 };
    if (folders.has(box.type)) waiting.push({ ...inside, startByte: box.contentByte, isSampleEntry: false });
    else if (box.type === 'stsd')
      waiting.push({ ...inside, startByte: box.contentByte + beforeEntriesBytes, isSampleEntry: true });
  }
}
