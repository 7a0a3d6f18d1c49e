import { useEffect, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import type { Note } from '#contract/notes-api.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import type { NoteSaver } from '#web/outbox/note-saver.ts';
import { NoteView } from '#web/recordings/notes/note-view.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { formatTimecode } from '#base/format-timecode.ts';
import { NoteEditor } from './note-editor.tsx';
import { NotePlace, presentPlace, type NoteMoment } from './note-place.tsx';
import { openNotes } from './open-notes.ts';
import type { NoteActions } from './use-notes.ts';
import styles from './notes.module.css';

/** A new note. The server has it once its first text is saved; the list may not know it yet. */
export function NewNoteListItem({ place, saver }: { place: NoteMoment; saver: NoteSaver }) {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(place.fromMs));
  return (
    <li className={styles.row}>
      <NotePlace {...place} />
      <NoteEditor saver={saver} label={t`Note at ${time}`} onDone={() => void openNotes.finish(saver)} />
    </li>
  );
}

export interface NoteListItemProps {
  note: Note;
  durationMs: number;
  actions: NoteActions | null;
  /** The saver, if the note is being edited or has unsaved text. */
  saver: NoteSaver | null;
}

/** One note with formatting, edited in place. Read-only without actions. */
export function NoteListItem({ note, durationMs, actions, saver }: NoteListItemProps) {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(note.fromMs));
  if (saver && actions)
    return (
      <li className={styles.row}>
        <EditedNote note={note} durationMs={durationMs} actions={actions} saver={saver} />
      </li>
    );
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <NotePlace {...note} />
        {actions && (
          <span className={styles.actions}>
            <IconButton
              label={t`Edit the note at ${time}`}
              icon={<Pencil />}
              onPress={() => openToEdit(note, actions)}
            />
            <IconButton
              data-ends
              label={t`Delete the note at ${time}`}
              icon={<Trash2 />}
              onPress={() => void actions.remove(note)}
            />
          </span>
        )}
      </div>
      <NoteView text={note.text} />
    </li>
  );
}

function openToEdit(note: Note, actions: NoteActions): void {
  const { id, recordingId, fromMs, toMs } = note;
  const place = { fromMs, toMs };
  openNotes.open(note, { id, recordingId, place }, actions.callsOf({ id, place }));
}

function EditedNote({
  note,
  durationMs,
  actions,
  saver,
}: {
  note: Note;
  durationMs: number;
  actions: NoteActions;
  saver: NoteSaver;
}) {
  const { t } = useLingui();
  const [before] = useState(note);
  const time = isoLeftToRight(formatTimecode(note.fromMs));
  useEffect(() => {
    saver.receive(note);
  }, [saver, note]);
  const handleDone = async () => {
    if (saver.text.trim() === '') {
      openNotes.close(saver);
      await actions.remove({ ...note, text: before.text });
      return;
    }
    if ((await openNotes.finish(saver)) && saver.text !== before.text) actions.offerUndo(before);
  };
  const handleMove = async () => {
    const place = presentPlace(durationMs);
    await saver.flush();
    // The row shows the note from before the last text was saved.
    const now = saver.isBehind
      ? note
      : { ...note, text: saver.text, revision: saver.revision ?? note.revision };
    await actions.changeWithUndo(now, place);
  };
  return (
    <>
      <div className={styles.head}>
        <NotePlace {...note} />
        <Button variant="plain" onPress={() => void handleMove()}>
          <Trans>Move to current position</Trans>
        </Button>
      </div>
      <NoteEditor saver={saver} label={t`Note at ${time}`} onDone={() => void handleDone()} />
    </>
  );
}
