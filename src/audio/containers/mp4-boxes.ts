/** A file that is read in pieces, from wherever it lies; a piece is shorter at its end. */
export interface PieceFile {
  sizeBytes: number;
  read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;
}

/** A box of an MP4 file, and whether it is one of the entries of a table of samples. */
export interface Mp4Box {
  type: string;
  contentByte: number;
  endByte: number;
  isSampleEntry: boolean;
}

const longestHeaderBytes = 16;
/**
 * A day in fragments of a second has 600,000. More than this is a file that is made to keep its readers busy.
 */
export const mostMp4Boxes = 1_000_000;
/** Of the boxes that lead to the tables: `moov/trak/mdia/minf/stbl/stsd` and an entry, and one to spare. */
const deepestLevel = 8;
/** The small boxes of a fragment lie side by side: one read for all of them. */
const windowBytes = 4096;
/** Version, flags and count stand before the entries of `stsd` (ISO/IEC 14496-12 §8.5.2). */
const beforeEntriesBytes = 8;
/**
 * The way from a file to its tables of samples (ISO/IEC 14496-12 §8.1–8.5), and to those of its fragments
 * (§8.8).
 */
const folders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

/**
 * Thrown where a file has more boxes than any recorder writes: whoever walks them must not take the first
 * ones for the whole file.
 */
export class TooManyBoxesError extends Error {
  constructor() {
    super(`the file has more than ${mostMp4Boxes} boxes`);
    this.name = 'TooManyBoxesError';
  }
}

/** Reads headers through a window that moves along with the walk. */
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
  const bytes = await read(startByte, Math.min(endByte, startByte + longestHeaderBytes));
  if (bytes.length < 8) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const short = header.getUint32(0);
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  // 1 says that the length stands behind the name in eight bytes, 0 that the box goes to the end.
  const headerBytes = short === 1 ? longestHeaderBytes : 8;
  if (bytes.length < headerBytes) return null;
  const sizeBytes = short === 1 ? Number(header.getBigUint64(8)) : short || endByte - startByte;
  return sizeBytes < headerBytes
    ? null
    : { type, contentByte: startByte + headerBytes, endByte: Math.min(endByte, startByte + sizeBytes) };
}

/**
 * The boxes of an MP4 file down to its tables of samples, each before what is in it; of every other file what
 * looks like some. Rejects where it cannot be read.
 * @throws TooManyBoxesError in the place of the box after the last that is allowed
 */
export async function* boxesOf(file: PieceFile): AsyncGenerator<Mp4Box, void, unknown> {
  const headers = throughWindow(file);
  const waiting = [{ startByte: 0, endByte: file.sizeBytes, isSampleEntry: false, level: 1 }];
  for (let count = 0; ;) {
    const place = waiting.pop();
    if (place === undefined) return;
    const box = place.startByte < place.endByte ? await boxAt(headers, place.startByte, place.endByte) : null;
    if (box === null) continue;
    if (count === mostMp4Boxes) throw new TooManyBoxesError();
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
