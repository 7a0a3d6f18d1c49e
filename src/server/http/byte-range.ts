export interface Range {
  startByte: number;
  endByteExclusive: number;
}

function suffixOf(lengthBytes: number, sizeBytes: number): Range | 'unsatisfiable' {
  const length = Math.min(lengthBytes, sizeBytes);
  return length === 0 ? 'unsatisfiable' : { startByte: sizeBytes - length, endByteExclusive: sizeBytes };
}

/**
 * Parses a Range header (RFC 9110 §14.1.2). Returns `whole` for anything but a single byte range, which a server
 * may ignore, and `unsatisfiable` if the range starts beyond the end.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): Range | 'whole' | 'unsatisfiable' {
  const match = /^\s*bytes\s*=\s*(?:(?<first>\d+)\s*-\s*(?<last>\d*)|-\s*(?<suffix>\d+))\s*$/i.exec(
    header ?? '',
  );
  if (!match?.groups) return 'whole';
  const { first, last, suffix } = match.groups;
  if (suffix !== undefined) return suffixOf(Number(suffix), sizeBytes);
  const startByte = Number(first);
  const endByteExclusive = last ? Number(last) + 1 : sizeBytes;
  if (startByte >= sizeBytes) return last && endByteExclusive <= startByte ? 'whole' : 'unsatisfiable';
  return endByteExclusive <= startByte
    ? 'whole'
    : { startByte, endByteExclusive: Math.min(endByteExclusive, sizeBytes) };
}
