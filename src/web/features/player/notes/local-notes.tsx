import { Trans, useLingui } from '@lingui/react/macro';
import { NoteView } from '#web/recordings/notes/note-view.tsx';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { NotePlace, type NoteMoment } from './note-place.tsx';
import styles from './notes.module.css';

type HasLocalNotes = Pick<PlayableRecording, 'notesHere'>;

/** Converts the notes of a take on this device to the shape that the server will use. */
export const localNotesOf = ({
  notesHere = [],
}: HasLocalNotes): (NoteMoment & { id: string; text: string })[] =>
  notesHere.map(({ id, atMs, text }) => ({ id, fromMs: atMs, toMs: null, text }));

/**
 * The notes written while a take on this device was recorded. They become editable once the take is on the server.
 */
export function LocalNotes(recording: HasLocalNotes) {
  const { t } = useLingui();
  const notes = localNotesOf(recording);
  if (notes.length === 0) return null;
  return (
    <section aria-label={t`Notes`} className={styles.notes}>
      <div className={styles.heading}>
        <h2>
          <Trans>Notes</Trans>
        </h2>
      </div>
      <ul className={styles.list}>
        {notes.map(({ id, text, ...place }) => (
          <li key={id} className={styles.row}>
            <NotePlace {...place} />
            <NoteView text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
