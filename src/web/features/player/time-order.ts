/** In the order of time; what is at the same moment, in that of ids. */
export function inTimeOrder<T extends { id: string }>(items: readonly T[], atMsOf: (item: T) => number): T[] {
  return items.toSorted((a, b) => atMsOf(a) - atMsOf(b) || (a.id < b.id ? -1 : 1));
}

/** How many items lie before the first that is `beyond`, by binary search; beyond it, all have to be. */
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
