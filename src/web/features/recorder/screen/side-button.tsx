import type { ReactNode } from 'react';
import { PressButton as Button } from '#web/ui/controls/press-button.tsx';
import { classes } from '#web/ui/classes.ts';
import styles from './controls.module.css';

export interface SideButtonProps {
  icon: ReactNode;
  /** The visible word and the accessible name. */
  label: string;
  /** The key that does the same, shown in a tooltip; empty where there is none. */
  shortcut: string;
  onPress: () => void;
}

/** A round button with its word below, beside the Record button. */
export function SideButton({ icon, label, shortcut, onPress }: SideButtonProps) {
  return (
    <Button
      onPress={onPress}
      data-tooltip={shortcut ? `${label} (${shortcut})` : undefined}
      className={classes(styles.side)}
    >
      <span aria-hidden className={styles.round}>
        {icon}
      </span>
      <span className={styles.word}>{label}</span>
    </Button>
  );
}
