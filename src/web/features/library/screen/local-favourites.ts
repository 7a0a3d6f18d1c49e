import type { Recording } from '#contract/recordings.ts';
import type { ListedTake } from '#web/features/library/list/library-items.ts';

interface Here {
  takes: readonly ListedTake[];
  lastList: readonly Recording[];
}

/** The favourites while the server can't be reached: those of the list shown last, with pending stars applied. */
export function localFavourites({ takes, lastList }: Here, stars: ReadonlyMap<string, boolean>): Here {
  const starred = lastList.filter(({ id, isFavourite }) => stars.get(id) ?? isFavourite);
  const ids = new Set(starred.map(({ id }) => id));
  return { takes: takes.filter(({ id }) => ids.has(id)), lastList: starred };
}
