import type { ReactNode } from 'react';
import { PressButton as Button } from '#web/ui/controls/press-button.tsx';
import { classes } from '#web/ui/classes.ts';
import styles from './controls.module.css';

export interface SideButtonProps {
  icon: ReactNode;
  /** The visible word and the accessible name. */
  children: ReactNode;
  onPress: () => void;
}

/** A round button with its word below, beside the Record button. */
export function SideButton({ icon, children, onPress }: SideButtonProps) {
  return (
    <Button onPress={onPress} className={classes(styles.side)}>
      <span aria-hidden className={styles.round}>{icon}</span>
      <span className={styles.word}>{children}</span>
    </Button>
  );
}
