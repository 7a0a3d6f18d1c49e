/** How many files are read at once: appends wait for the same thread pool. */
const batchSize = 8;

/** Maps like `Promise.all` over `work`, in batches, so that other requests find free threads in between. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += batchSize) {
    results.push(
      ...(await Promise.all(
        items.slice(from, from + batchSize).map((item, index) => work(item, from + index)),
      )),
    );
  }
  return results;
}
