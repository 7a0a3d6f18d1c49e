import { useId } from 'react';
import styles from './view.module.css';

export interface DayFieldProps {
  label: string;
  day: string | null;
  onChange: (day: string | null) => void;
}

/** The platform's own date field: every phone has the one its owner knows. */
export function DayField({ label, day, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={day ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    </div>
  );
}
