/** Sorts by time; items at the same moment are sorted by id. */
export function inTimeOrder<T extends { id: string }>(items: readonly T[], atMsOf: (item: T) => number): T[] {
  return items.toSorted((a, b) => atMsOf(a) - atMsOf(b) || (a.id < b.id ? -1 : 1));
}
