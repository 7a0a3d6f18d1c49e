import type { ReactNode } from 'react';
import styles from './text.module.css';

/** For screen readers only. Becomes visible when something inside takes the focus. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
