import { boundedCount, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { ZipError } from './zip-error.ts';

/** One file of a ZIP as the directory at the end lists it. */
export interface ZipDirectoryEntry {
  path: string;
  /** 0: stored as it is, 8: deflated; others are not read. */
  method: number;
  isEncrypted: boolean;
  crc32: number;
  packedBytes: number;
  sizeBytes: number;
  /** Where its local header begins. */
  offsetBytes: number;
}

const signatures = {
  end: 0x0605_4b50,
  largeEnd: 0x0606_4b50,
  locator: 0x0706_4b50,
  record: 0x0201_4b50,
} as const;
const largest32 = 0xffff_ffff;
const largest16 = 0xffff;
const endBytes = 22;
const locatorBytes = 20;
const recordBytes = 46;
/** The comment behind everything has a length of 16 bits. */
const longestEndBytes = endBytes + largest16;
/**
 * Ten times what an account of a hundred thousand recordings takes; no file may fill the memory by what it
 * claims.
 */
const largestDirectoryBytes = 512 * 1024 * 1024;

interface Directory {
  offsetBytes: number;
  sizeBytes: number;
  entryCount: number;
}

/** The bytes of a part, as numbers are read from them. */
export async function viewOf(file: Blob, fromByte: number, toByte: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(fromByte, toByte).arrayBuffer());
}

/** A number of 64 bits; one beyond 2⁵³ can be neither a place nor a size. */
function large(view: DataView, at: number): number {
  const number = wholeNumberWithin(view.getBigUint64(at, true));
  if (number === null) throw new ZipError('not-zip', 'a number is larger than any file');
  return number;
}

/** Where the record at the very end begins; a comment may follow it. */
function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (
      tail.getUint32(at, true) === signatures.end &&
      at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return at;
  }
  throw new ZipError('not-zip', 'there is no end of a ZIP file');
}

/** The same in 64 bits, where 16 or 32 cannot say it (APPNOTE.TXT 4.3.14). */
async function readLargeEnd(file: Blob, endAt: number): Promise<Directory> {
  const locator = await viewOf(file, Math.max(0, endAt - locatorBytes), endAt);
  if (locator.byteLength < locatorBytes || locator.getUint32(0, true) !== signatures.locator)
    throw new ZipError('not-zip', 'the place of the directory is missing');
  const at = large(locator, 8);
  const end = await viewOf(file, at, at + 56);
  if (end.byteLength < 56 || end.getUint32(0, true) !== signatures.largeEnd)
    throw new ZipError('not-zip', 'the place of the directory is wrong');
  return { entryCount: large(end, 32), sizeBytes: large(end, 40), offsetBytes: large(end, 48) };
}

async function findDirectory(file: Blob): Promise<Directory> {
  const tailAt = Math.max(0, file.size - longestEndBytes);
  const tail = await viewOf(file, tailAt, file.size);
  const at = findEnd(tail);
  const plain = {
    entryCount: tail.getUint16(at + 10, true),
    sizeBytes: tail.getUint32(at + 12, true),
    offsetBytes: tail.getUint32(at + 16, true),
  };
  const isLarge =
    plain.entryCount === largest16 || plain.sizeBytes === largest32 || plain.offsetBytes === largest32;
  const directory = isLarge ? await readLargeEnd(file, tailAt + at) : plain;
  if (
    directory.offsetBytes + directory.sizeBytes > tailAt + at ||
    directory.sizeBytes > largestDirectoryBytes
  )
    throw new ZipError('not-zip', 'the directory is not where it should be');
  return directory;
}

/**
 * The numbers that stand in the extra field because 32 bits were too few (APPNOTE.TXT 4.5.3), in their order.
 */
function* largeNumbers(extra: DataView): Generator<number> {
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const [kind, size] = [extra.getUint16(at, true), extra.getUint16(at + 2, true)];
    const end = Math.min(extra.byteLength, at + 4 + size);
    if (kind === 0x0001) for (let from = at + 4; from + 8 <= end; from += 8) yield large(extra, from);
    at = end;
  }
}

function entryOf(
  view: DataView<ArrayBuffer>,
  at: number,
  names: TextDecoder,
): { entry: ZipDirectoryEntry; nextAt: number } {
  const [nameBytes, extraBytes, commentBytes] = [
    view.getUint16(at + 28, true),
    view.getUint16(at + 30, true),
    view.getUint16(at + 32, true),
  ];
  const nameAt = at + recordBytes;
  const nextAt = nameAt + nameBytes + extraBytes + commentBytes;
  if (nextAt > view.byteLength) throw new ZipError('not-zip', 'the directory ends too early');
  const numbers = largeNumbers(new DataView(view.buffer, view.byteOffset + nameAt + nameBytes, extraBytes));
  const number = (value: number): number => (value === largest32 ? (numbers.next().value ?? value) : value);
  const sizeBytes = number(view.getUint32(at + 24, true));
  const packedBytes = number(view.getUint32(at + 20, true));
  const offsetBytes = number(view.getUint32(at + 42, true));
  const path = names.decode(new Uint8Array(view.buffer, view.byteOffset + nameAt, nameBytes));
  return {
    nextAt,
    entry: {
      path,
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
      crc32: view.getUint32(at + 16, true),
      packedBytes,
      sizeBytes,
      offsetBytes,
    },
  };
}

/** Lists the files of a ZIP by their paths, reading nothing but its end; ZipError where that is no ZIP's. */
export async function readDirectory(file: Blob): Promise<Map<string, ZipDirectoryEntry>> {
  const { offsetBytes, sizeBytes, entryCount } = await findDirectory(file);
  const count = boundedCount(entryCount, { leftBytes: sizeBytes, bytesEach: recordBytes });
  if (count < entryCount) throw new ZipError('not-zip', 'the directory has fewer entries than it claims');
  const view = await viewOf(file, offsetBytes, offsetBytes + sizeBytes);
  const names = new TextDecoder();
  const entries = new Map<string, ZipDirectoryEntry>();
  for (let [at, listed] = [0, 0]; listed < count; listed += 1) {
    if (at + recordBytes > view.byteLength || view.getUint32(at, true) !== signatures.record)
      throw new ZipError('not-zip', 'the directory ends too early');
    const { entry, nextAt } = entryOf(view, at, names);
    entries.set(entry.path, entry);
    at = nextAt;
  }
  return entries;
}
