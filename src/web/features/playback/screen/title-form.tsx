import { useState, type FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';
import { fieldMessage } from '#web/api/words/field-words.ts';
import { RecordingTitle } from '#web/recorded-time/recording-title.tsx';
import { titleText, type Titled } from '#web/recorded-time/title-text.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import styles from './screen.module.css';

const opening = { autoFocus: true } as const;
const longest = limits.titleLength;

/** The field in place of a recording's title. */
export function TitleForm({ recording, onSave, onCancel }: { recording: Titled; onSave: (title: string) => void; onCancel: () => void }) {
  const { t, i18n } = useLingui();
  const [text, setText] = useState(recording.title);
  const [isRefused, setRefused] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = text.trim();
    if (codePointLength(trimmed) > longest) setRefused(true);
    else onSave(trimmed);
  };
  return (
    <form onSubmit={handleSubmit} className={styles.titleForm}>
      <h1 tabIndex={-1} className={styles.hiddenHeading}><RecordingTitle of={recording} /></h1>
      <TextField
        label={t`Title`} name="title" placeholder={titleText({ ...recording, title: '' })} value={text} onChange={setText} {...opening} maxLength={longest * 2} className={styles.titleField}
        errorMessage={isRefused ? i18n._(fieldMessage({ code: 'too-long', params: { longest } })) : null}
        onKeyDown={(event) => { if (event.key === 'Escape') onCancel(); }}
      />
      <Button type="submit" variant="primary"><Trans>Save</Trans></Button>
      <Button variant="plain" onPress={onCancel}><Trans>Cancel</Trans></Button>
    </form>
  );
}
