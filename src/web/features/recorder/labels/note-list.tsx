import { useLingui } from '@lingui/react/macro';
import { Pencil, Trash2 } from 'lucide-react';
import { NoteView } from '#web/recordings/notes/note-view.tsx';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { showToast } from '#web/ui/overlays/toast.tsx';
import { formatTimecode } from '#base/format-timecode.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { TakeNote } from '#device/records/take-record.ts';
import { noteBeingWritten } from './note-being-written.ts';
import { WrittenNote } from './written-note.tsx';
import styles from './note-list.module.css';

/** The notes of the take, newest first. Each can be edited in the list; `NewNote` shows one that was just started. */
export function NoteList({ notes, isEditable }: { notes: readonly TakeNote[]; isEditable: boolean }) {
  const { t } = useLingui();
  const written = useStore(noteBeingWritten);
  const listed = notes.filter(({ id, text }) =>
    id === written?.noteId ? !written.isNew : text.trim() !== '',
  );
  if (listed.length === 0) return null;
  return (
    <section className={styles.notes} aria-label={t`Notes`}>
      <ol reversed className={styles.list}>
        {listed.toReversed().map((note) => (
          <li key={note.id} className={styles.note}>
            {written?.noteId === note.id ? (
              <WrittenNote note={note} written={written} isEditable={isEditable} />
            ) : (
              <ListedNote note={note} isEditable={isEditable} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function ListedNote({ note, isEditable }: { note: TakeNote; isEditable: boolean }) {
  const { t } = useLingui();
  const time = isoLeftToRight(formatTimecode(note.atMs));
  const handleDelete = () =>
    showToast({
      message: () => t`Note deleted`,
      action: { label: () => t`Undo`, onAction: noteBeingWritten.remove(note) },
    });
  return (
    <>
      <div className={styles.head}>
        <Timecode ms={note.atMs} className={styles.time} />
        {isEditable && (
          <span className={styles.actions}>
            <IconButton
              label={t`Edit the note at ${time}`}
              icon={<Pencil />}
              variant="plain"
              onPress={() => noteBeingWritten.open(note.id)}
            />
            <IconButton
              data-ends
              label={t`Delete the note at ${time}`}
              icon={<Trash2 />}
              variant="plain"
              onPress={handleDelete}
            />
          </span>
        )}
      </div>
      <NoteView text={note.text} />
    </>
  );
}
