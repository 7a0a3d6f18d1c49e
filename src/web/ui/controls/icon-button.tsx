import type { ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import type { ButtonVariant } from './button.tsx';
import { PressButton, type PressButtonProps } from './press-button.tsx';
import styles from './button.module.css';

export interface IconButtonProps extends Omit<
  PressButtonProps,
  'children' | 'className' | 'style' | 'aria-label'
> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  /** The shortcut, shown in the tooltip. */
  shortcut?: string;
  icon: ReactNode;
  /** Shown under the icon. The label contains it, so that speaking it presses the button (WCAG 2.5.3). */
  word?: string;
  size?: 'm' | 'l';
  variant?: ButtonVariant;
  /** Whether a toggle is on. Absent for other buttons. */
  pressed?: boolean;
  className?: string | undefined;
}

/** A button with an icon and, below it, at most a word. TooltipLayer shows its `data-tooltip`. */
export function IconButton({
  label,
  shortcut,
  icon,
  word,
  size = 'm',
  variant = 'plain',
  pressed,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <PressButton
      {...rest}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      aria-label={label}
      data-tooltip={shortcut ? `${label} (${shortcut})` : label}
      className={classes(
        styles.button,
        styles.icon,
        styles[variant],
        size === 'l' && styles.l,
        word !== undefined && styles.worded,
        className,
      )}
    >
      {icon}
      {word !== undefined && <span className={styles.word}>{word}</span>}
    </PressButton>
  );
}
