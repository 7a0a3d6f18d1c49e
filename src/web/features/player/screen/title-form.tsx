import type { FormEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '#contract/limits.ts';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { titleText, type Titled } from '#web/recordings/time/title-text.ts';
import { useTitleDraft } from '#web/recordings/time/use-title-draft.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import styles from './screen.module.css';

const opening = { autoFocus: true } as const;

/** Replaces the title with a field while it is edited. */
export function TitleForm({
  recording,
  onSave,
  onCancel,
}: {
  recording: Titled & { id: string };
  onSave: (title: string) => void;
  onCancel: () => void;
}) {
  const { t } = useLingui();
  const { field, accepted, forget } = useTitleDraft(recording);
  const handleCancel = () => {
    forget();
    onCancel();
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const title = accepted();
    if (title === null) return;
    forget();
    onSave(title);
  };
  return (
    <form onSubmit={handleSubmit} className={styles.titleForm}>
      <h1 tabIndex={-1} className={styles.hiddenHeading}>
        <RecordingTitle of={recording} />
      </h1>
      <TextField
        label={t`Title`}
        name="title"
        placeholder={titleText({ ...recording, title: '' })}
        {...field}
        {...opening}
        maxLength={limits.titleLength * 2}
        className={styles.titleField}
        onKeyDown={(event) => {
          if (event.key === 'Escape') handleCancel();
        }}
      />
      <Button type="submit" variant="primary">
        <Trans>Save</Trans>
      </Button>
      <Button variant="plain" onPress={handleCancel}>
        <Trans>Cancel</Trans>
      </Button>
    </form>
  );
}
