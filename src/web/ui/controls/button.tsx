import type { ReactNode } from 'react';
import { SpinnerMark } from '#web/ui/feedback/spinner-mark.tsx';
import { classes } from '#web/ui/classes.ts';
import { PressButton, type PressButtonProps } from './press-button.tsx';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger';

export interface ButtonProps extends Omit<PressButtonProps, 'children' | 'className' | 'style'> {
  variant?: ButtonVariant;
  size?: 'm' | 'l';
  icon?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

export function Button({
  variant = 'quiet',
  size = 'm',
  icon,
  children,
  className,
  isPending = false,
  ...rest
}: ButtonProps) {
  return (
    <PressButton
      {...rest}
      isPending={isPending}
      className={classes(
        styles.button,
        styles[variant],
        size === 'l' && styles.l,
        isPending && styles.pending,
        className,
      )}
    >
      {icon}
      <span>{children}</span>
      {isPending && <SpinnerMark className={styles.spinner} />}
    </PressButton>
  );
}
