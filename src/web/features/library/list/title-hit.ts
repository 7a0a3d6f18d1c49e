import { excerptOf } from '#base/search/excerpt.ts';
import { locateWords } from '#base/search/locate-words.ts';
import { wantedWordsOf } from '#base/search-words.ts';
import type { SearchHit } from '#contract/recordings.ts';

type Marked = Pick<SearchHit, 'text' | 'ranges'>;

/**
 * What the search found in a title: as the server says, or, of a row that only this device knows, by the same
 * rules. Null where nothing is to be marked.
 */
export function titleHitOf(
  { title, hit }: { title: string; hit: SearchHit | null },
  search: string,
): Marked | null {
  // A title that was changed since is shown as it is.
  if (hit !== null) return hit.kind === 'title' && hit.text === title ? hit : null;
  const wanted = search === '' ? null : wantedWordsOf(search);
  const marked =
    wanted && excerptOf(title, locateWords(title, wanted), { longest: title.length, ranges: title.length });
  return marked !== null && marked.ranges.length > 0 && marked.text === title ? marked : null;
}
