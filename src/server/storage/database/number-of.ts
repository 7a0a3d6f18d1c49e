/**
 * An integer of the database as a number. Beyond 2^53 it would lose digits in silence, and a row in which it
 * stands would make its whole list fail: it is answered as infinite, which no feature takes for a length, a
 * count or a moment.
 */
export function numberOf(stored: bigint | string): number {
  const value = Number(stored);
  return Number.isSafeInteger(value) ? value : value < 0 ? -Infinity : Infinity;
}
