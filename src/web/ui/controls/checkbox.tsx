import { useEffect, useId, useRef, type ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import styles from './checkbox.module.css';

export interface CheckboxProps {
  label: ReactNode;
  isSelected: boolean;
  /** Neither on nor off: it represents several items that differ. */
  isMixed?: boolean;
  onChange: (isSelected: boolean) => void;
  /** The label is for screen readers only. */
  labelHidden?: boolean;
  /** The id of the element that the box belongs to. */
  describedBy?: string;
  tabIndex?: number;
  className?: string | undefined;
}

/** The platform's checkbox, with a touch target around it. */
export function Checkbox({
  label,
  isSelected,
  isMixed = false,
  onChange,
  labelHidden = false,
  describedBy,
  tabIndex,
  className,
}: CheckboxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label htmlFor={id} className={classes(styles.checkbox, className)}>
      <input
        ref={box}
        id={id}
        type="checkbox"
        checked={isSelected}
        tabIndex={tabIndex}
        aria-describedby={describedBy}
        className={styles.box}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <span className={styles.text}>{label}</span>}
    </label>
  );
}
