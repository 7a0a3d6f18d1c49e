import { boundedCount, wholeNumberWithin } from '#base/numbers/untrusted-numbers.ts';
import { ZipError } from './zip-error.ts';

/** One file of a ZIP as listed in the directory at its end. */
export interface ZipDirectoryEntry {
  path: string;
  /** 0: stored, 8: deflated; others are rejected. */
  method: number;
  isEncrypted: boolean;
  crc32: number;
  packedBytes: number;
  sizeBytes: number;
  /** Offset of its local header. */
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
/** The comment at the end of the file has a length of 16 bits. */
const maxEndBytes = endBytes + largest16;
/**
 * Ten times the directory of an account with a hundred thousand recordings. Limits memory, whatever a file claims.
 */
const maxDirectoryBytes = 512 * 1024 * 1024;

interface Directory {
  offsetBytes: number;
  sizeBytes: number;
  entryCount: number;
}

/** A view of a byte range, for reading numbers. */
export async function viewOf(file: Blob, fromByte: number, toByte: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(fromByte, toByte).arrayBuffer());
}

/** Reads a number of 64 bits. A number beyond 2⁵³ cannot be an offset or a size. */
function large(view: DataView, at: number): number {
  const number = wholeNumberWithin(view.getBigUint64(at, true));
  if (number === null) throw new ZipError('not-zip', 'a number is larger than any file');
  return number;
}

/** Offset of the end record, which a comment may follow. */
function findEnd(tail: DataView): number {
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (
      tail.getUint32(at, true) === signatures.end &&
      at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength
    )
      return at;
  }
  throw new ZipError('not-zip', 'the file has no ZIP end record');
}

/** Reads the ZIP64 end record, used where 16 or 32 bits are too few (APPNOTE.TXT 4.3.14). */
async function readLargeEnd(file: Blob, endAt: number): Promise<Directory> {
  const locator = await viewOf(file, Math.max(0, endAt - locatorBytes), endAt);
  if (locator.byteLength < locatorBytes || locator.getUint32(0, true) !== signatures.locator)
    throw new ZipError('not-zip', 'the ZIP64 locator is missing');
  const at = large(locator, 8);
  const end = await viewOf(file, at, at + 56);
  if (end.byteLength < 56 || end.getUint32(0, true) !== signatures.largeEnd)
    throw new ZipError('not-zip', 'the ZIP64 locator is wrong');
  return { entryCount: large(end, 32), sizeBytes: large(end, 40), offsetBytes: large(end, 48) };
}

async function findDirectory(file: Blob): Promise<Directory> {
  const tailAt = Math.max(0, file.size - maxEndBytes);
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
  if (directory.offsetBytes + directory.sizeBytes > tailAt + at || directory.sizeBytes > maxDirectoryBytes)
    throw new ZipError('not-zip', 'the directory is not where it should be');
  return directory;
}

/** The numbers in the ZIP64 extra field, in order (APPNOTE.TXT 4.5.3). */
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

/**
 * Lists the files of a ZIP by path; reads only its end.
 * @throws ZipError if it is not a ZIP
 */
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
