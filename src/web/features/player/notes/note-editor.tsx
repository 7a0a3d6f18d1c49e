import { useEffect, useRef } from 'react';
import { Trans } from '@lingui/react/macro';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { NoteField } from '#web/recordings/notes/note-field.tsx';
import { NoteView } from '#web/recordings/notes/note-view.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { NoteSaver, Saving } from '#web/outbox/note-saver.ts';
import { openNotes } from './open-notes.ts';
import styles from './notes.module.css';

/** Typed text is sent after this pause. */
const restMs = 800;

export interface NoteEditorProps {
  saver: NoteSaver;
  /** The accessible name of the field. */
  label: string;
  onDone: () => void;
}

/** Edits the text of one note and saves it automatically. */
export function NoteEditor({ saver, label, onDone }: NoteEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const saving = useStore(saver);
  const { text } = saving;
  useEffect(() => {
    const area = field.current;
    openNotes.enter(saver);
    // A note that is shown only because it is unsaved must not take the focus.
    if (saver.getSnapshot().status === 'untouched') {
      area?.focus();
      area?.setSelectionRange(area.value.length, area.value.length);
    }
    return () => openNotes.leave(saver);
  }, [saver]);
  useEffect(() => {
    const timer = setTimeout(() => void saver.flush(), restMs);
    return () => clearTimeout(timer);
  }, [saver, text]);

  return (
    <div className={styles.editor}>
      <NoteField
        field={field}
        label={label}
        value={text}
        onChange={(typed) => saver.type(typed)}
        onBlur={() => void saver.flush()}
        onDone={onDone}
      />
      {saving.status === 'conflict' && <Conflict saver={saver} theirs={saving.theirs.text} />}
      <div className={styles.foot}>
        <SavingState saving={saving} />
        <Button variant="primary" onPress={onDone}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </div>
  );
}

function Conflict({ saver, theirs }: { saver: NoteSaver; theirs: string }) {
  return (
    <Notice tone="warn">
      <p>
        <Trans>This note was changed somewhere else in the meantime. The other version says:</Trans>
      </p>
      <div className={styles.theirs}>
        <NoteView text={theirs} />
      </div>
      <div className={styles.choices}>
        <Button onPress={() => void saver.saveMine()}>
          <Trans>Keep my version</Trans>
        </Button>
        <Button onPress={() => saver.takeTheirs()}>
          <Trans>Use the other version</Trans>
        </Button>
      </div>
    </Notice>
  );
}

function SavingState({ saving }: { saving: Saving }) {
  const messageOf = useErrorMessage();
  return (
    <output className={styles.saving}>
      {(saving.status === 'typing' || saving.status === 'saving') && <Trans>Saving…</Trans>}
      {saving.status === 'saved' && <Trans context="a note">Saved</Trans>}
      {saving.status === 'failed' && messageOf(saving.error)}
    </output>
  );
}
