/** A file that is read in pieces, from wherever it lies; a piece is shorter at its end. */
export interface PieceFile { sizeBytes: number; read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array> }

/** A box of an MP4 file, and whether it is one of the entries of a table of samples. */
export interface Mp4Box { type: string; contentByte: number; endByte: number; isSampleEntry: boolean }

const longestHeaderBytes = 16;
/** Of a file made to keep us busy. */
const boxesAtMost = 10_000;
/** Version, flags and count stand before the entries of `stsd` (ISO/IEC 14496-12 §8.5.2). */
const beforeEntriesBytes = 8;
/** The way from a file to its tables of samples (ISO/IEC 14496-12 §8.1–8.5), and to those of its fragments (§8.8). */
const folders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

async function boxAt({ read }: PieceFile, startByte: number, endByte: number): Promise<Omit<Mp4Box, 'isSampleEntry'> | null> {
  const bytes = await read(startByte, Math.min(endByte, startByte + longestHeaderBytes));
  if (bytes.length < 8) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const short = header.getUint32(0);
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  // 1 says that the length stands behind the name in eight bytes, 0 that the box goes to the end.
  const headerBytes = short === 1 ? longestHeaderBytes : 8;
  if (bytes.length < headerBytes) return null;
  const sizeBytes = short === 1 ? Number(header.getBigUint64(8)) : short || endByte - startByte;
  return sizeBytes < headerBytes ? null : { type, contentByte: startByte + headerBytes, endByte: Math.min(endByte, startByte + sizeBytes) };
}

/** The boxes of an MP4 file down to its tables of samples, each before what is in it; of every other file what looks like some. Rejects where it cannot be read. */
export async function* boxesOf(file: PieceFile): AsyncGenerator<Mp4Box, void, unknown> {
  const waiting = [{ startByte: 0, endByte: file.sizeBytes, isSampleEntry: false }];
  for (let count = 0; count < boxesAtMost; count += 1) {
    const place = waiting.pop();
    if (place === undefined) return;
    const box = place.startByte < place.endByte ? await boxAt(file, place.startByte, place.endByte) : null;
    if (box === null) continue;
    yield { ...box, isSampleEntry: place.isSampleEntry };
    waiting.push({ ...place, startByte: box.endByte });
    if (folders.has(box.type)) waiting.push({ startByte: box.contentByte, endByte: box.endByte, isSampleEntry: false });
    else if (box.type === 'stsd') waiting.push({ startByte: box.contentByte + beforeEntriesBytes, endByte: box.endByte, isSampleEntry: true });
  }
}
