import type { SearchHit } from '#contract/recordings.ts';
import styles from './hit.module.css';

/**
 * Text that matched the search, with the matches marked. Isolated, in its own direction, and excluded from
 * translation by the browser.
 */
export function MarkedText({ hit: { text, ranges } }: { hit: Pick<SearchHit, 'text' | 'ranges'> }) {
  const ends = [0, ...ranges.map(([, to]) => to)];
  return (
    <bdi dir="auto" translate="no" className={styles.text}>
      {ranges.map(([from, to], index) => [
        text.slice(ends[index], from),
        <mark key={from} className={styles.mark}>
          {text.slice(from, to)}
        </mark>,
      ])}
      {text.slice(ends.at(-1))}
    </bdi>
  );
}
