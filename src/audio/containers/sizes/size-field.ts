/** Where a size is stated. */
export interface SizeField {
  atByte: number;
  sizeBytes: 4 | 8;
  isLittleEndian: boolean;
}

/** Reads a size; 0 if its bytes are missing. Beyond 2^53 it is rounded. */
export function numberAt(bytes: Uint8Array, { atByte, sizeBytes, isLittleEndian }: SizeField): number {
  if (bytes.length < atByte + sizeBytes) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + atByte, sizeBytes);
  return sizeBytes === 4 ? view.getUint32(0, isLittleEndian) : Number(view.getBigUint64(0, isLittleEndian));
}
