import { useId, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { classes } from '#web/ui/classes.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import styles from './select.module.css';

interface SelectOption<T extends string> {
  value: T;
  label: string;
}

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly SelectOption<T>[];
  labelHidden?: boolean;
  isDisabled?: boolean;
  /** A small rounded select for toolbars instead of a form field. */
  look?: 'field' | 'chip';
  icon?: ReactNode;
  className?: string | undefined;
}

/**
 * The platform's own select: it works best on phones, is localised, and needs no script before the first
 * recording.
 */
export function Select<T extends string>({
  label,
  value,
  onChange,
  options,
  labelHidden = false,
  isDisabled = false,
  look = 'field',
  icon,
  className,
}: SelectProps<T>) {
  const id = useId();
  const handleChange = (chosen: string) => {
    const option = options.find((candidate) => candidate.value === chosen);
    if (option) onChange(option.value);
  };
  const labelled = (
    <label htmlFor={id} className={styles.label}>
      {label}
    </label>
  );
  return (
    <div className={classes(styles.field, className)}>
      {labelHidden ? <VisuallyHidden>{labelled}</VisuallyHidden> : labelled}
      <div className={styles.box}>
        {icon && (
          <span aria-hidden className={styles.icon}>
            {icon}
          </span>
        )}
        <select
          id={id}
          value={value}
          disabled={isDisabled}
          className={classes(
            styles.select,
            look === 'chip' && styles.chip,
            icon !== undefined && styles.hasIcon,
          )}
          onChange={(event) => handleChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} dir="auto">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className={styles.chevron} />
      </div>
    </div>
  );
}
