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
