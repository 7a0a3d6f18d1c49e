/** Which pages hold the recordings from one place of the list to another, both included. */
export function pagesBetween(
  pages: readonly { items: readonly unknown[] }[],
  { from, to }: { from: number; to: number },
): number[] {
  let start = 0;
  return pages.flatMap(({ items }, place) => {
    const [first, behind] = [start, start + items.length];
    start = behind;
    return first <= to && behind > from ? [place] : [];
  });
}
