import { useEffect, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import type { Note } from '#contract/notes-api.ts';
import { call } from '#web/api/call.ts';
import { newId } from '#web/api/support/new-id.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { formatTimecode } from '#web/ui/text/format-timecode.ts';
import { NoteEditor } from './note-editor.tsx';
import { NotePlace, presentPlace, type Place } from './note-place.tsx';
import { NoteSaver } from './note-saver.ts';
import { NoteView } from './note-view.tsx';
import type { NoteActions } from './use-notes.ts';
import styles from './notes.module.css';

const noteAgain = async (recordingId: string, id: string): Promise<Note | null> =>
  (await call('listNotes', { params: { recordingId } })).items.find((note) => note.id === id) ?? null;

/** The note that is being made: it is on the server with its first words. */
export function NewNoteRow({ recordingId, place, actions, onDone }: { recordingId: string; place: Place; actions: NoteActions; onDone: () => void }) {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(place.fromMs));
  const [saver] = useState(() => {
    const id = newId();
    return new NoteSaver(null, {
      send: (text, revision) => (revision === null ? actions.create({ id, text, ...place }) : actions.change({ id, revision }, { text })),
      read: () => noteAgain(recordingId, id),
    });
  });
  const handleDone = async () => {
    await saver.flush();
    if (!saver.isBehind) onDone();
  };
  return (
    <li className={styles.row}>
      <NotePlace {...place} />
      <NoteEditor saver={saver} label={t`Note at ${time}`} onDone={() => void handleDone()} />
    </li>
  );
}

export interface NoteRowProps { note: Note; durationMs: number; actions: NoteActions | null }

/** One note: shown with its formatting, changed where it stands. Without actions it can only be read. */
export function NoteRow({ note, durationMs, actions }: NoteRowProps) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(false);
  const time = isoLeftToRight(formatTimecode(note.fromMs));
  if (isEditing && actions) return <li className={styles.row}><EditedNote note={note} durationMs={durationMs} actions={actions} onDone={() => setEditing(false)} /></li>;
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <NotePlace {...note} />
        {actions && (
          <span className={styles.actions}>
            <IconButton label={t`Edit the note at ${time}`} icon={<Pencil />} onPress={() => setEditing(true)} />
            <IconButton label={t`Delete the note at ${time}`} icon={<Trash2 />} onPress={() => void actions.remove(note)} />
          </span>
        )}
      </div>
      <NoteView text={note.text} />
    </li>
  );
}

function EditedNote({ note, durationMs, actions, onDone }: { note: Note; durationMs: number; actions: NoteActions; onDone: () => void }) {
  const { t } = useLingui();
  const [before] = useState(note);
  const time = isoLeftToRight(formatTimecode(note.fromMs));
  const [saver] = useState(() => new NoteSaver(note, {
    send: (text, revision) => actions.change({ id: note.id, revision: revision ?? note.revision }, { text }),
    read: () => noteAgain(note.recordingId, note.id),
  }));
  useEffect(() => { saver.heard(note); }, [saver, note]);
  const handleDone = async () => {
    if (saver.text.trim() === '') {
      onDone();
      await actions.remove({ ...note, text: before.text });
      return;
    }
    await saver.flush();
    if (saver.isBehind || saver.getSnapshot().status === 'conflict') return;
    if (saver.text !== before.text) actions.offerUndo(before);
    onDone();
  };
  const handleMove = () => void saver.flush().then(() => actions.changeWithUndo(note, presentPlace(durationMs)));
  return (
    <>
      <div className={styles.head}>
        <NotePlace {...note} />
        <Button variant="plain" onPress={handleMove}><Trans>Move to this moment</Trans></Button>
      </div>
      <NoteEditor saver={saver} label={t`Note at ${time}`} onDone={() => void handleDone()} />
    </>
  );
}
