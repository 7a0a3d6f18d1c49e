import type { ReactNode } from 'react';
import { CircleAlert, Info, ShieldCheck, TriangleAlert } from 'lucide-react';
import { classes } from '#web/ui/classes.ts';
import styles from './feedback.module.css';

type NoticeTone = 'info' | 'warn' | 'danger' | 'safe';

export interface NoticeProps {
  tone: NoticeTone;
  title?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  /** `alert` if it appears because something just went wrong. */
  role?: 'alert' | 'status' | 'note';
  className?: string | undefined;
}

const icons = { info: Info, warn: TriangleAlert, danger: CircleAlert, safe: ShieldCheck };

/** A message that stays on the page as long as its cause. */
export function Notice({ tone, title, children, action, role, className }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div role={role} className={classes(styles.notice, styles[tone], className)}>
      <Icon aria-hidden className={styles.noticeIcon} />
      <div className={styles.noticeBody}>
        {title && <strong className={styles.noticeTitle}>{title}</strong>}
        <div>{children}</div>
      </div>
      {action && <div className={styles.noticeAction}>{action}</div>}
    </div>
  );
}
