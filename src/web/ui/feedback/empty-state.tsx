import type { ReactNode } from 'react';
import styles from './feedback.module.css';

export interface EmptyStateProps {
  icon: ReactNode;
  /** Absent if the page’s own heading says it. */
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** One sentence and one action in place of an empty list. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span aria-hidden className={styles.emptyIcon}>
        {icon}
      </span>
      {title && <h2>{title}</h2>}
      {children && <div className={styles.emptyText}>{children}</div>}
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  );
}
