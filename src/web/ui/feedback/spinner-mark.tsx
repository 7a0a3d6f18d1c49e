import { classes } from '#web/ui/classes.ts';
import styles from './feedback.module.css';

/** A spinning ring without text. Its user has to add a text. */
export function SpinnerMark({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={classes(styles.spinnerMark, className)} />;
}
