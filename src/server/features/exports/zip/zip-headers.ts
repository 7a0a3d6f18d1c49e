/** The header fields of a file stored without compression in a ZIP (APPNOTE.TXT 6.3.10). */
export interface ZipEntry {
  path: string;
  sizeBytes: number;
  crc32: number;
  offsetBytes: number;
}

const largest32 = 0xffff_ffff;
const largest16 = 0xffff;
/** 1 January 1980. A real time would need a time zone, which ZIP does not store. */
const dosDate = 0x0021;
/** Bit 11: names are UTF-8. */
const flags = 0x0800;
const plainVersion = 20;
const zip64Version = 45;
/** Made on Unix, so the attributes are a file mode: a regular file, readable by all. */
const madeBy = (3 << 8) | zip64Version;
const fileMode = (0o100644 << 16) >>> 0;

const isLarge = (sizeBytes: number): boolean => sizeBytes >= largest32;
const versionOf = ({ sizeBytes, offsetBytes }: ZipEntry): number =>
  isLarge(sizeBytes) || isLarge(offsetBytes) ? zip64Version : plainVersion;

/** The extra field for numbers beyond 32 bits (APPNOTE 4.5.3); empty if there are none. */
function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  return extra;
}

/** The local header, before a file's bytes. */
export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  const extra = zip64Extra(isLarge(entry.sizeBytes) ? [entry.sizeBytes, entry.sizeBytes] : []);
  const fixed = Buffer.alloc(30);
  fixed.writeUInt32LE(0x0403_4b50, 0);
  fixed.writeUInt16LE(isLarge(entry.sizeBytes) ? zip64Version : plainVersion, 4);
  fixed.writeUInt16LE(flags, 6);
  fixed.writeUInt16LE(dosDate, 12);
  fixed.writeUInt32LE(entry.crc32, 14);
  fixed.writeUInt32LE(Math.min(entry.sizeBytes, largest32), 18);
  fixed.writeUInt32LE(Math.min(entry.sizeBytes, largest32), 22);
  fixed.writeUInt16LE(name.length, 26);
  fixed.writeUInt16LE(extra.length, 28);
  return Buffer.concat([fixed, name, extra]);
}

/** A file's record in the central directory. */
export function directoryRecord(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  const extra = zip64Extra([
    ...(isLarge(entry.sizeBytes) ? [entry.sizeBytes, entry.sizeBytes] : []),
    ...(isLarge(entry.offsetBytes) ? [entry.offsetBytes] : []),
  ]);
  const fixed = Buffer.alloc(46);
  fixed.writeUInt32LE(0x0201_4b50, 0);
  fixed.writeUInt16LE(madeBy, 4);
  fixed.writeUInt16LE(versionOf(entry), 6);
  fixed.writeUInt16LE(flags, 8);
  fixed.writeUInt16LE(dosDate, 14);
  fixed.writeUInt32LE(entry.crc32, 16);
  fixed.writeUInt32LE(Math.min(entry.sizeBytes, largest32), 20);
  fixed.writeUInt32LE(Math.min(entry.sizeBytes, largest32), 24);
  fixed.writeUInt16LE(name.length, 28);
  fixed.writeUInt16LE(extra.length, 30);
  fixed.writeUInt32LE(fileMode, 38);
  fixed.writeUInt32LE(Math.min(entry.offsetBytes, largest32), 42);
  return Buffer.concat([fixed, name, extra]);
}

/** The end of the file: the position of the directory, also in ZIP64 records if 16 or 32 bits are not enough. */
export function endRecords(directory: {
  entryCount: number;
  offsetBytes: number;
  sizeBytes: number;
}): Buffer {
  const { entryCount, offsetBytes, sizeBytes } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entryCount, largest16), 8);
  end.writeUInt16LE(Math.min(entryCount, largest16), 10);
  end.writeUInt32LE(Math.min(sizeBytes, largest32), 12);
  end.writeUInt32LE(Math.min(offsetBytes, largest32), 16);
  if (entryCount < largest16 && !isLarge(sizeBytes) && !isLarge(offsetBytes)) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(0x0606_4b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(madeBy, 12);
  large.writeUInt16LE(zip64Version, 14);
  large.writeBigUInt64LE(BigInt(entryCount), 24);
  large.writeBigUInt64LE(BigInt(entryCount), 32);
  large.writeBigUInt64LE(BigInt(sizeBytes), 40);
  large.writeBigUInt64LE(BigInt(offsetBytes), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(offsetBytes + sizeBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}
