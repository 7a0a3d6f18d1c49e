/** A file that is read in pieces, from wherever it lies; a piece is shorter at its end. */
export interface PieceFile { sizeBytes: number; read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array> }

interface Box { type: string; startByte: number; contentByte: number; endByte: number }

const longestHeaderBytes = 16;
/** Of a file made to keep us busy. */
const boxesAtMost = 10_000;
/** Version, flags and count stand before the entries of `stsd` (ISO/IEC 14496-12 §8.5.2). */
const beforeEntriesBytes = 8;
/** The way from a file to its tables of sample entries (ISO/IEC 14496-12 §8.1–8.5). */
const folders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
/** Sample entries of protected sound and pictures: Common Encryption (§8.12), and what came before it in shops for music and for audio books. */
const protectedEntries: ReadonlySet<string> = new Set(['enca', 'encv', 'drms', 'drmi', 'aavd']);

async function boxAt({ read }: PieceFile, startByte: number, endByte: number): Promise<Box | null> {
  const bytes = await read(startByte, Math.min(endByte, startByte + longestHeaderBytes));
  if (bytes.length < 8) return null;
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const short = header.getUint32(0);
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  // 1 says that the length stands behind the name in eight bytes, 0 that the box goes to the end.
  const headerBytes = short === 1 ? longestHeaderBytes : 8;
  if (bytes.length < headerBytes) return null;
  const sizeBytes = short === 1 ? Number(header.getBigUint64(8)) : short || endByte - startByte;
  return sizeBytes < headerBytes ? null : { type, startByte, contentByte: startByte + headerBytes, endByte: Math.min(endByte, startByte + sizeBytes) };
}

/** Whether the sound or the pictures of an MP4 file are under a key, by its tables of sample entries; false for every other file. Rejects where it cannot be read. */
export async function isProtectedMp4(file: PieceFile): Promise<boolean> {
  const waiting = [{ startByte: 0, endByte: file.sizeBytes, holdsEntries: false }];
  for (let count = 0; count < boxesAtMost; count += 1) {
    const place = waiting.pop();
    if (place === undefined) return false;
    const box = place.startByte < place.endByte ? await boxAt(file, place.startByte, place.endByte) : null;
    if (box === null) continue;
    if (place.holdsEntries && protectedEntries.has(box.type)) return true;
    waiting.push({ ...place, startByte: box.endByte });
    if (folders.has(box.type)) waiting.push({ startByte: box.contentByte, endByte: box.endByte, holdsEntries: false });
    else if (box.type === 'stsd') waiting.push({ startByte: box.contentByte + beforeEntriesBytes, endByte: box.endByte, holdsEntries: true });
  }
  return false;
}
