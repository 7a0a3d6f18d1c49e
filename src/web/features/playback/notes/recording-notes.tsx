import { useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { NotebookPen } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { NewNoteRow, NoteRow } from './note-row.tsx';
import { presentPlace, type Place } from './note-place.tsx';
import { useNoteActions, useNotes } from './use-notes.ts';
import styles from './notes.module.css';

export interface RecordingNotesProps {
  recordingId: string;
  durationMs: number;
  isEditable: boolean;
}

/** What was written about moments and stretches of a recording on the server. */
export function RecordingNotes({ recordingId, durationMs, isEditable }: RecordingNotesProps) {
  const { t } = useLingui();
  const notes = useNotes(recordingId);
  const actions = useNoteActions(recordingId);
  const [draft, setDraft] = useState<{ place: Place; key: number } | null>(null);
  // The list knows the note as soon as it is saved; until it is done its row is the one that is written in.
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set());
  const handleAdd = () => {
    setBefore(new Set(notes.map(({ id }) => id)));
    setDraft({ place: presentPlace(durationMs), key: Date.now() });
  };
  if (notes.length === 0 && !isEditable) return null;
  const shown = draft ? notes.filter(({ id }) => before.has(id)) : notes;
  return (
    <section aria-label={t`Notes`} className={styles.notes}>
      <div className={styles.heading}>
        <h2><Trans>Notes</Trans></h2>
        {isEditable && <Button variant="plain" icon={<NotebookPen aria-hidden />} onPress={handleAdd}><Trans>Add note</Trans></Button>}
      </div>
      {notes.length === 0 && !draft && <p className={styles.none}><Trans>Write down what a moment, or a selected part, is about.</Trans></p>}
      <ul className={styles.list}>
        {draft && <NewNoteRow key={draft.key} recordingId={recordingId} place={draft.place} actions={actions} onDone={() => setDraft(null)} />}
        {shown.map((note) => <NoteRow key={note.id} note={note} durationMs={durationMs} actions={isEditable ? actions : null} />)}
      </ul>
    </section>
  );
}
