import type { Recording, RecordingPage } from '#contract/recordings.ts';

/**
 * The recordings of all pages in order, each once. Pages may overlap when a recording was added between two
 * requests.
 */
export function flattenPages(pages: readonly RecordingPage[]): Recording[] {
  const seen = new Set<string>();
  return pages.flatMap(({ items }) =>
    items.filter(({ id }) => {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    }),
  );
}

/** The indexes of the pages that hold the recordings from one index of the list to another, both included. */
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

/**
 * Fits a refetched page between the pages fetched before: it ends where the next one starts, whatever was added or
 * removed. If it overlaps none of them, it stays as it is, and the pages after it have to be refetched.
 */
export function fitPage(
  fresh: RecordingPage,
  old: RecordingPage,
  later: readonly RecordingPage[],
): RecordingPage {
  if (old.nextCursor === null || later.length === 0) return fresh;
  const before = new Set(old.items.map(({ id }) => id));
  const following = new Set(later.flatMap(({ items }) => items.map(({ id }) => id)));
  // A recording that moved up from a later page must not end this page, so the cut comes after the last old
  // recording.
  const last = fresh.items.findLastIndex(({ id }) => before.has(id));
  const cut = fresh.items.findIndex(({ id }, index) => index > last && following.has(id));
  return cut === -1 ? fresh : { ...fresh, items: fresh.items.slice(0, cut), nextCursor: old.nextCursor };
}
