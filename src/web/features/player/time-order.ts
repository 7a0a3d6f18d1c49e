/** Sorts by time; items at the same moment are sorted by id. */
export function inTimeOrder<T extends { id: string }>(items: readonly T[], atMsOf: (item: T) => number): T[] {
  return items.toSorted((a, b) => atMsOf(a) - atMsOf(b) || (a.id < b.id ? -1 : 1));
}

/**
 * Number of items before the first one for which `beyond` is true, by binary search. `beyond` must be true for all
 * items after it.
 */
export function countBefore<T>(items: readonly T[], beyond: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined || beyond(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
