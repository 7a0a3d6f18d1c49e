import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { classes } from '#web/ui/classes.ts';
import styles from './switch.module.css';

export interface SwitchProps {
  children: ReactNode;
  /** One sentence on its effect. */
  description?: ReactNode;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
  className?: string | undefined;
}

export function Switch({
  children,
  description,
  isSelected,
  onChange,
  isDisabled = false,
  className,
}: SwitchProps) {
  return (
    <AriaSwitch
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled}
      className={classes(styles.switch, className)}
    >
      <span className={styles.text}>
        <span>{children}</span>
        {description && <span className={styles.description}>{description}</span>}
      </span>
      <span aria-hidden className={styles.track}>
        <span className={styles.thumb} />
      </span>
    </AriaSwitch>
  );
}
