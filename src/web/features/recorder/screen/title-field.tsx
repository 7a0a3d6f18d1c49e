import { useState, type ChangeEvent, type KeyboardEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { cleanTitle } from '#web/features/recorder/take/clean-title.ts';
import styles from './screen.module.css';

export interface TitleFieldProps {
  value: string;
  /** Called with the new title on blur or Enter; null if the field is empty. */
  onCommit: (title: string | null) => void;
  placeholder: string;
}

/** The title, styled as text until it is focused. Escape discards the draft. */
export function TitleField({ value, onCommit, placeholder }: TitleFieldProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState<string | null>(null);

  const commit = () => {
    if (draft === null) return;
    setDraft(null);
    onCommit(cleanTitle(draft));
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
    if (event.key === 'Escape') setDraft(null);
  };
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    setDraft(event.currentTarget.value);
  };

  return (
    <input
      className={styles.title}
      aria-label={t`Title`}
      dir={inputDirection(draft ?? value)}
      autoComplete="off"
      enterKeyHint="done"
      value={draft ?? value}
      placeholder={placeholder}
      onChange={handleChange}
      onBlur={commit}
      onKeyDown={handleKey}
    />
  );
}
