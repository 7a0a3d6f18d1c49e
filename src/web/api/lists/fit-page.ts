import type { RecordingPage } from '#contract/recordings.ts';

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
