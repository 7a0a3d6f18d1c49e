import { useId } from 'react';
import { classes } from '#web/ui/classes.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import styles from './field.module.css';

export interface TextAreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  description?: string;
  name?: string;
  /** In UTF-16 code units. */
  maxLength?: number;
}

/** Several lines of text with its label, and below it the description. It grows with the text. */
export function TextArea({ label, value, onChange, description, name, maxLength }: TextAreaProps) {
  const id = useId();
  const descriptionId = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <textarea
        id={id}
        className={classes(styles.input, styles.several)}
        dir={inputDirection(value)}
        rows={3}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        aria-describedby={description === undefined ? undefined : descriptionId}
        {...(name === undefined ? {} : { name })}
        {...(maxLength === undefined ? {} : { maxLength })}
      />
      {description !== undefined && (
        <span id={descriptionId} className={styles.description}>
          {description}
        </span>
      )}
    </div>
  );
}
