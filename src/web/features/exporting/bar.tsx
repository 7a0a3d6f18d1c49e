import { classes } from '#web/ui/classes.ts';
import styles from './exporting.module.css';

/**
 * A bar as long as its share, from 0 to 1; the words beside it say the same, so it is hidden from screen
 * readers.
 */
export function ExportBar({ share, isOver = false }: { share: number; isOver?: boolean }) {
  const inlineSize = `${Math.min(1, Math.max(0, share)) * 100}%`;
  return (
    <div aria-hidden className={styles.bar}>
      <div className={classes(styles.fill, isOver && styles.over)} style={{ inlineSize }} />
    </div>
  );
}
