import { SpinnerMark } from './spinner-mark.tsx';
import styles from './feedback.module.css';

/** A text while waiting. The ring appears only if the wait is long enough to notice. */
export function Spinner({ label }: { label: string }) {
  return (
    <div className={styles.spinner}>
      <SpinnerMark />
      <span>{label}</span>
    </div>
  );
}
