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
