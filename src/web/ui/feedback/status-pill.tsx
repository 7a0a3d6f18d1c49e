import type { ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import styles from './feedback.module.css';

export interface StatusPillProps {
  tone: 'safe' | 'device' | 'warn' | 'neutral';
  icon?: ReactNode;
  children: ReactNode;
  role?: 'status';
  className?: string | undefined;
}

/** A short status. Without an icon the tone is a dot that differs in shape, not only in colour. */
export function StatusPill({ tone, icon, children, role, className }: StatusPillProps) {
  return (
    <span role={role} className={classes(styles.pill, styles[tone], className)}>
      {icon ? (
        <span aria-hidden className={styles.pillIcon}>
          {icon}
        </span>
      ) : (
        <span aria-hidden className={styles.pillDot} />
      )}
      <span>{children}</span>
    </span>
  );
}
