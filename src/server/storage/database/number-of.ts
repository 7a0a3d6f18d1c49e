/**
 * Converts an integer of the database to a number. Beyond 2^53 it would silently lose digits or make the whole
 * list fail, so it becomes infinite, which no feature accepts as a length, count or moment.
 */
export function numberOf(stored: bigint | string): number {
  const value = Number(stored);
  return Number.isSafeInteger(value) ? value : value < 0 ? -Infinity : Infinity;
}
