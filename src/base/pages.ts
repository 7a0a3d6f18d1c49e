/** A list that is read while it is used, in pages. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;

/** Converts the items of pages. */
export async function* mapPages<Item, Other>(
  pages: Pages<Item>,
  map: (page: readonly Item[]) => readonly Other[],
): AsyncGenerator<readonly Other[], void> {
  for await (const page of pages) yield map(page);
}

/** Reads all items of pages. */
export async function itemsOf<Item>(pages: Pages<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
