import { partOf } from './page-parts.ts';

/** Loads more before the reader has reached the end of the list. */
const aheadPx = 1000;

/** Adds the labels of a further page to the lists of this one, and takes over its link to the next. */
function addLabels(further: Document): void {
  const more = partOf<HTMLElement>('more');
  for (const name of ['markers', 'notes'] as const) {
    const added = partOf<HTMLElement>(name, further);
    const list = partOf<HTMLElement>(name)?.querySelector('ol');
    if (added && list) list.append(...(added.querySelector('ol')?.children ?? []));
    else if (added) more?.before(added);
  }
  const next = partOf<HTMLElement>('more', further);
  if (next) more?.replaceWith(next);
  else more?.remove();
}

/**
 * Loads the rest of long lists when the reader comes near their end. Without a connection the link stays, and opens a
 * page with the next part.
 * @param onAdded called after labels were added to the page
 */
export function loadMoreLabels(onAdded: () => void): void {
  const link = partOf<HTMLElement>('more')?.querySelector('a');
  if (!link) return;
  const load = async (): Promise<void> => {
    const response = await fetch(link.href, { headers: { Accept: 'text/html' }, cache: 'no-store' });
    if (!response.ok) return;
    addLabels(new DOMParser().parseFromString(await response.text(), 'text/html'));
    onAdded();
    loadMoreLabels(onAdded);
  };
  const near = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting !== true) return;
      near.disconnect();
      load().catch(() => undefined);
    },
    { rootMargin: `${aheadPx}px` },
  );
  near.observe(link);
}
