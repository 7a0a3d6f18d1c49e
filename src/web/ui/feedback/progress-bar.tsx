import { classes } from '#web/ui/classes.ts';
import styles from './progress-bar.module.css';

export interface ProgressBarProps {
  label: string;
  done: number;
  all: number;
  /** For a bar inside a list item. */
  isSlim?: boolean;
  className?: string | undefined;
}

/** Progress, also for screen readers. */
export function ProgressBar({ label, done, all, isSlim = false, className }: ProgressBarProps) {
  return (
    <progress
      className={classes(styles.progress, isSlim && styles.slim, className)}
      aria-label={label}
      value={done}
      max={Math.max(1, all)}
    />
  );
}

/** A share from 0 to 1 as a bar. Screen readers skip it, because the text beside it says the same. */
export function ShareBar({ share, isOver = false }: { share: number; isOver?: boolean }) {
  const inlineSize = `${Math.min(1, Math.max(0, share)) * 100}%`;
  return (
    <div aria-hidden className={styles.share}>
      <div className={classes(styles.fill, isOver && styles.over)} style={{ inlineSize }} />
    </div>
  );
}
