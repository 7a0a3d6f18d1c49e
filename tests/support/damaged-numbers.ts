import fc from 'fast-check';

/** A replacement of one number in a file: its offset, width, new value and byte order. */
export interface NumberDamage {
  at: number;
  width: 1 | 2 | 4 | 8;
  value: 'zero' | 'one' | 'largest positive' | 'minus one';
  order: 'big-endian' | 'little-endian';
}

const widths = [1, 2, 4, 8] as const;
const values = ['zero', 'one', 'largest positive', 'minus one'] as const;
const orders = ['big-endian', 'little-endian'] as const;

/** All zeros and all ones are the same in either byte order, and so is a one-byte number. */
const isSameInBothOrders = ({ width, value }: Pick<NumberDamage, 'width' | 'value'>): boolean =>
  width === 1 || value === 'zero' || value === 'minus one';

/** Every number of every width between two offsets, with each of the values. */
export function numberDamages(
  fromByte: number,
  toByte: number,
  knownOrders: readonly NumberDamage['order'][] = orders,
): NumberDamage[] {
  const places = Array.from({ length: Math.max(0, toByte - fromByte) }, (_, index) => fromByte + index);
  return places.flatMap((at) =>
    widths
      .filter((width) => at + width <= toByte)
      .flatMap((width) =>
        values.flatMap((value) =>
          knownOrders
            .slice(0, isSameInBothOrders({ width, value }) ? 1 : undefined)
            .map((order) => ({ at, width, value, order })),
        ),
      ),
  );
}

/** One to three damaged numbers, most of them near the beginning of the file. */
export const someNumberDamages = (sizeBytes: number): fc.Arbitrary<NumberDamage[]> =>
  fc.array(
    fc.record({
      at: fc.oneof(fc.nat(Math.min(sizeBytes, 512) - 1), fc.nat(sizeBytes - 1)),
      width: fc.constantFrom(...widths),
      value: fc.constantFrom(...values),
      order: fc.constantFrom(...orders),
    }),
    { minLength: 1, maxLength: 3 },
  );

/** A copy of the bytes with the number replaced. */
export function withNumber(
  bytes: Uint8Array,
  { at, width, value, order }: NumberDamage,
): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes);
  const number = copy.subarray(at, at + width);
  number.fill(value === 'zero' || value === 'one' ? 0 : 0xff);
  const [highest, lowest] = order === 'big-endian' ? [0, number.length - 1] : [number.length - 1, 0];
  if (value === 'one') number[lowest] = 1;
  if (value === 'largest positive') number[highest] = 0x7f;
  return copy;
}

/** The most memory that parsing a small file may use, enough for the parser's own tables and buffers. */
const maxMemoryBytes = 64 * 1024 * 1024;

/** A file after one damage, and a description of the damage. */
export interface DamagedFile {
  words: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The file once for each number in its first bytes, with that number damaged. */
export const withEachNumber = (
  whole: Uint8Array,
  {
    toByte = whole.length,
    orders: knownOrders = orders,
  }: { toByte?: number; orders?: readonly NumberDamage['order'][] },
): DamagedFile[] =>
  numberDamages(0, toByte, knownOrders).map((damage) => ({
    words: JSON.stringify(damage),
    bytes: withNumber(whole, damage),
  }));

const usedBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/**
 * Describes each file that the parser mishandles: it throws, `isFine` is false, or memory grows by more than 64
 * MiB.
 */
export async function strangeAnswers(
  files: Iterable<DamagedFile>,
  isFine: (bytes: Uint8Array<ArrayBuffer>) => boolean | Promise<boolean>,
): Promise<string[]> {
  const strange: string[] = [];
  for (const { words, bytes } of files) {
    const before = usedBytes();
    const answer = await Promise.resolve(bytes).then(isFine).catch(String);
    const grownBytes = usedBytes() - before;
    if (answer !== true) strange.push(`${words}: ${answer}`);
    if (grownBytes > maxMemoryBytes) strange.push(`${words}: ${grownBytes} bytes of memory`);
  }
  return strange;
}
