import { withChanged } from '#web/api/queries/cached-pages.ts';
import { dropPendingStars } from '#web/recordings/favourites/stars.ts';
import { doToMany } from './bulk.ts';
import { useCachedChange } from './use-cached-change.ts';

/** Adds several recordings to the favourites, or removes them. */
export function useBulkFavourite(): (ids: readonly string[], isFavourite: boolean) => void {
  const change = useCachedChange();
  const set = async (ids: readonly string[], isFavourite: boolean) => {
    const isDone = await change({
      pages: (pages) => withChanged(pages, new Set(ids), (item) => ({ ...item, isFavourite })),
      act: () => doToMany(ids, { kind: 'favourite', isFavourite }),
    });
    if (isDone) dropPendingStars(ids);
  };
  return (ids, isFavourite) => void set(ids, isFavourite);
}
