import fc from 'fast-check';

/** One number of a file, replaced: the place where it stands, its bytes, and its new value. */
export interface NumberDamage {
  at: number;
  width: 1 | 2 | 4 | 8;
  value: 'zero' | 'one' | 'largest positive' | 'minus one';
  order: 'big-endian' | 'little-endian';
}

const widths = [1, 2, 4, 8] as const;
const values = ['zero', 'one', 'largest positive', 'minus one'] as const;
const orders = ['big-endian', 'little-endian'] as const;

/** Zeros and ones are the same in either order, and so is a number of one byte. */
const isSameInBothOrders = ({ width, value }: Pick<NumberDamage, 'width' | 'value'>): boolean =>
  width === 1 || value === 'zero' || value === 'minus one';

/** Every number of every width that may stand between two places, each with all of its values. */
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

/** One to three damages of numbers, most of them near the beginning. */
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

/** A small file may cost as much memory as its parser's own tables and buffers take, and no more. */
const mostMemoryBytes = 64 * 1024 * 1024;

/** A file after one damage, and the damage in words. */
export interface DamagedFile {
  words: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file with each number of its first bytes damaged in turn. */
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
 * The damages to which a parser does not answer as it should, by an error or by too much memory: none, where
 * it is sound.
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
    if (grownBytes > mostMemoryBytes) strange.push(`${words}: ${grownBytes} bytes of memory`);
  }
  return strange;
}
