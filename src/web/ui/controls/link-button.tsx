import type { ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import type { ButtonVariant } from './button.tsx';
import { Link } from './link.tsx';
import styles from './button.module.css';

export interface LinkButtonProps {
  href: string;
  variant?: ButtonVariant | undefined;
  size?: 'm' | 'l';
  icon?: ReactNode;
  children: ReactNode;
  /** The state of the history entry that a press creates. */
  state?: unknown;
  /** The suggested file name, for a link that saves a file. */
  download?: string;
}

/** A link that looks like a button. A download bypasses the router. */
export function LinkButton({
  href,
  variant = 'quiet',
  size = 'm',
  icon,
  children,
  state,
  download,
}: LinkButtonProps) {
  const className = classes(styles.button, styles[variant], size === 'l' && styles.l);
  if (download !== undefined)
    return (
      <a href={href} download={download} className={className}>
        {icon}
        <span>{children}</span>
      </a>
    );
  return (
    <Link unstyled href={href} state={state} className={className}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
