import { excerptOf } from '#base/search/excerpt.ts';
import { locateWords } from '#base/search/locate-words.ts';
import { wantedWordsOf } from '#base/search-words.ts';
import type { SearchHit } from '#contract/recordings.ts';

type Marked = Pick<SearchHit, 'text' | 'ranges'>;

/**
 * The matches in a title: as reported by the server, or computed by the same rules for a row that only this device
 * has. Null if nothing is to be marked.
 */
export function titleHitOf(
  { title, hit }: { title: string; hit: SearchHit | null },
  search: string,
): Marked | null {
  // The server's ranges do not fit a title that has changed since.
  if (hit !== null) return hit.kind === 'title' && hit.text === title ? hit : null;
  const wanted = search === '' ? null : wantedWordsOf(search);
  const marked =
    wanted && excerptOf(title, locateWords(title, wanted), { maxLength: title.length, ranges: title.length });
  return marked !== null && marked.ranges.length > 0 && marked.text === title ? marked : null;
}
