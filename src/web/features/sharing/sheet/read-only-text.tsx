import { useId } from 'react';
import styles from './sheet.module.css';

/**
 * A text to be copied by hand, such as an address, in a field that selects all of it with one press. Left to right
 * in every language.
 */
export function ReadOnlyText({ label, text, rows = 1 }: { label: string; text: string; rows?: number }) {
  const id = useId();
  const common = {
    id,
    readOnly: true,
    dir: 'ltr',
    value: text,
    spellCheck: false,
    className: styles.readOnly,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {rows === 1 ? (
        <input {...common} onFocus={(event) => event.currentTarget.select()} />
      ) : (
        <textarea {...common} rows={rows} onFocus={(event) => event.currentTarget.select()} />
      )}
    </div>
  );
}
