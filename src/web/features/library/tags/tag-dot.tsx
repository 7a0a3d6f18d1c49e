import type { Tag } from '#contract/library-api.ts';
import styles from './tags.module.css';

/** The colour of a tag; its name is always shown beside it. */
export function TagDot({ colour }: { colour: Tag['colour'] }) {
  return <span aria-hidden className={styles.dot} data-colour={colour} />;
}
