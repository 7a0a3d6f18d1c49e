import type { Recording } from '#contract/recordings.ts';
import type { ListedTake } from '#web/features/library/list/library-items.ts';

interface Here {
  takes: readonly ListedTake[];
  lastList: readonly Recording[];
}

/**
 * What stands in for the favourites where the server can't be asked: those of the list shown last, as they
 * are starred now.
 */
export function localFavourites({ takes, lastList }: Here, stars: ReadonlyMap<string, boolean>): Here {
  const starred = lastList.filter(({ id, isFavourite }) => stars.get(id) ?? isFavourite);
  const ids = new Set(starred.map(({ id }) => id));
  return { takes: takes.filter(({ id }) => ids.has(id)), lastList: starred };
}
