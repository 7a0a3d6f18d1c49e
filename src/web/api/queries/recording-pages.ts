import type { Recording, RecordingPage } from '#contract/recordings.ts';

/**
 * The recordings of all pages in order, each once: a page may overlap the one before when something was
 * recorded in between.
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

/**
 * A page read again, made to fit between the pages that were read before: it ends where the next one begins,
 * however much came or went. Where it no longer meets any of them it stands as it is, and the pages behind it
 * have to be read again.
 */
export function fitPage(
  fresh: RecordingPage,
  old: RecordingPage,
  later: readonly RecordingPage[],
): RecordingPage {
  if (old.nextCursor === null || later.length === 0) return fresh;
  const before = new Set(old.items.map(({ id }) => id));
  const following = new Set(later.flatMap(({ items }) => items.map(({ id }) => id)));
  // What moved up from a page behind must not end this one: the end comes after the last that was here.
  const last = fresh.items.findLastIndex(({ id }) => before.has(id));
  const cut = fresh.items.findIndex(({ id }, index) => index > last && following.has(id));
  return cut === -1 ? fresh : { ...fresh, items: fresh.items.slice(0, cut), nextCursor: old.nextCursor };
}
