import type { AnchorHTMLAttributes } from 'react';
import { Link as RouterLink } from 'wouter';
import { classes } from '#web/ui/classes.ts';
import styles from './button.module.css';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  href: string;
  /** Without link styles, for a caller with its own. */
  unstyled?: boolean;
  replace?: boolean;
  /** The state of the history entry that a press creates. */
  state?: unknown;
}

/** An anchor that changes the page without loading it. Modified clicks and new tabs are left to the browser. */
export function Link({ href, unstyled = false, className, children, ...rest }: LinkProps) {
  return (
    <RouterLink {...rest} href={href} className={unstyled ? className : classes(styles.link, className)}>
      {children}
    </RouterLink>
  );
}
