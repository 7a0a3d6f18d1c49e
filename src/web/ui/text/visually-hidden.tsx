import type { ReactNode } from 'react';
import styles from './text.module.css';

/** For ears only; shows itself when something inside takes the focus. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
