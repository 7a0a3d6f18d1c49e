import { classes } from '#web/ui/classes.ts';
import styles from './feedback.module.css';

/** The turning ring alone; whoever uses it says in words what is going on. */
export function SpinnerMark({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={classes(styles.spinnerMark, className)} />;
}
