import type { ChangeEvent, KeyboardEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import { useTypedDraft } from '#web/ui/hooks/use-typed-draft.ts';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { cleanTitle } from '#web/features/recorder/take/clean-title.ts';
import styles from './screen.module.css';

export interface TitleFieldProps {
  value: string;
  /** Called with the new title a second after the last key, on blur and on Enter; null if the field is empty. */
  onCommit: (title: string | null) => void;
  placeholder: string;
}

/** The title, styled as text until it is focused. Escape restores the title from before. */
export function TitleField({ value, onCommit, placeholder }: TitleFieldProps) {
  const { t } = useLingui();
  const draft = useTypedDraft(value, (text) => onCommit(cleanTitle(text)));
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.currentTarget.blur();
    if (event.key === 'Escape') draft.discard();
  };
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    draft.type(event.currentTarget.value);
  };

  return (
    <input
      className={styles.title}
      aria-label={t`Title`}
      dir={inputDirection(draft.text ?? value)}
      autoComplete="off"
      enterKeyHint="done"
      value={draft.text ?? value}
      placeholder={placeholder}
      onChange={handleChange}
      onBlur={draft.leave}
      onKeyDown={handleKey}
    />
  );
}
