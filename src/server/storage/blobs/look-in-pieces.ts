/** Files that are looked at together: appends wait for the same threads. */
const together = 8;

/**
 * Maps like `Promise.all` over `look`, but with few under way at a time, so that others find free hands in
 * between.
 */
export async function lookInPieces<Item, Result>(
  items: readonly Item[],
  look: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += together) {
    results.push(
      ...(await Promise.all(
        items.slice(from, from + together).map((item, index) => look(item, from + index)),
      )),
    );
  }
  return results;
}
