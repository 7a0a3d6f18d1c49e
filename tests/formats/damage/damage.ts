import fc from 'fast-check';

/**
 * Damages that files suffer in transit. Positions are fractions of the length (0–1), so that a damage fits files
 * of any size.
 */
type Damage =
  | { kind: 'cut'; from: number; to: number }
  | { kind: 'flip'; at: number; bits: number; bytes: number }
  | { kind: 'swap'; one: number; other: number; bytes: number };

// The third power puts most damages near the beginning, where containers store their structure.
const place = fc
  .double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  .chain((anywhere) => fc.constantFrom(anywhere, anywhere ** 3));
const stretch = fc.constantFrom(1, 2, 4, 16, 256, 4096);

const oneDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), from: place, to: fc.oneof(fc.constant(1), place) }),
  fc.record({
    kind: fc.constant('flip' as const),
    at: place,
    bits: fc.integer({ min: 1, max: 255 }),
    bytes: stretch,
  }),
  fc.record({ kind: fc.constant('swap' as const), one: place, other: place, bytes: stretch }),
);

/** One to four damages to a file. */
export const damages: fc.Arbitrary<Damage[]> = fc.array(oneDamage, { minLength: 1, maxLength: 4 });

function apply(bytes: Uint8Array<ArrayBuffer>, damage: Damage): Uint8Array<ArrayBuffer> {
  const at = (part: number) => Math.floor(part * bytes.length);
  switch (damage.kind) {
    case 'cut': {
      const [from, to] = [at(Math.min(damage.from, damage.to)), at(Math.max(damage.from, damage.to))];
      const rest = new Uint8Array(bytes.length - (to - from));
      rest.set(bytes.subarray(0, from));
      rest.set(bytes.subarray(to), from);
      return rest;
    }
    case 'flip': {
      const flipped = bytes.slice();
      for (
        let index = at(damage.at);
        index < Math.min(bytes.length, at(damage.at) + damage.bytes);
        index += 1
      )
        flipped[index] = (flipped[index] ?? 0) ^ damage.bits;
      return flipped;
    }
    case 'swap': {
      const swapped = bytes.slice();
      const [one, other] = [at(damage.one), at(damage.other)];
      swapped.set(
        bytes.subarray(other, Math.min(other + damage.bytes, bytes.length - Math.max(0, one - other))),
        one,
      );
      swapped.set(
        bytes.subarray(one, Math.min(one + damage.bytes, bytes.length - Math.max(0, other - one))),
        other,
      );
      return swapped;
    }
  }
}

/** The file after all of its damages. */
export const damaged = (bytes: Uint8Array<ArrayBuffer>, all: readonly Damage[]): Uint8Array<ArrayBuffer> =>
  all.reduce(apply, bytes);

/** The seed of this run's damages; set `DAMAGE_SEED` to repeat a run. */
export const seed = Number(process.env.DAMAGE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** The number of damages for each file. */
export const damagesEach = (usual: number): number => Number(process.env.DAMAGE_RUNS ?? usual);
