import type { KeyboardEvent, RefObject } from 'react';
import { useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { formatByKey, NoteToolbar } from './note-toolbar.tsx';
import styles from './notes.module.css';

export interface NoteFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The accessible name of the field. */
  label: string;
  value: string;
  onChange: (text: string) => void;
  onFocus?: () => void;
  onBlur: () => void;
  /** Escape, Ctrl+Enter or ⌘+Enter. */
  onDone: () => void;
  /** The text can be read, but not changed. */
  isReadOnly?: boolean;
  /** How many lines an empty field has. */
  rows?: number;
}

/** The editable text of a note, below its formatting toolbar. */
export function NoteField({
  field,
  label,
  value,
  onChange,
  onFocus,
  onBlur,
  onDone,
  isReadOnly = false,
  rows = 4,
}: NoteFieldProps) {
  const { t } = useLingui();
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (formatByKey(event) || event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      onDone();
    }
  };
  return (
    <>
      <NoteToolbar field={field} />
      <textarea
        ref={field}
        aria-label={label}
        className={styles.area}
        dir={inputDirection(value)}
        value={value}
        readOnly={isReadOnly}
        rows={rows}
        maxLength={limits.noteLength}
        placeholder={t`Write a note…`}
        onChange={(event) => onChange(event.currentTarget.value)}
        onFocus={onFocus}
        onBlur={onBlur}
        onKeyDown={handleKey}
      />
    </>
  );
}
