import { memo, useEffect, useRef } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { NotebookPen } from 'lucide-react';
import { newId } from '#device/new-id.ts';
import { useViewerId } from '#web/api/viewer.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { useUnanswered } from '#web/api/queries/unanswered.ts';
import { recordingKeys } from '#web/api/queries/query-client.ts';
import { NewNoteListItem, NoteListItem } from './note-list-item.tsx';
import { presentPlace } from './note-place.tsx';
import { openNotes } from './open-notes.ts';
import { useNoteActions, useNotes } from './use-notes.ts';
import styles from './notes.module.css';

export interface RecordingNotesProps {
  recordingId: string;
  durationMs: number;
  isEditable: boolean;
}

/** The notes of a recording on the server. */
export const RecordingNotes = memo(function RecordingNotes({
  recordingId,
  durationMs,
  isEditable,
}: RecordingNotesProps) {
  const { t } = useLingui();
  const notes = useNotes(recordingId);
  const isUnanswered = useUnanswered(recordingKeys.notes(recordingId));
  const actions = useNoteActions(recordingId);
  const viewerId = useViewerId();
  const open = useStore(openNotes).filter(
    (one) => one.recordingId === recordingId && one.userId === viewerId,
  );
  const { callsOf } = actions;
  const latestCallsOf = useRef(callsOf);
  useEffect(() => {
    latestCallsOf.current = callsOf;
  });
  useEffect(
    () =>
      isEditable ? openNotes.reopenStored(recordingId, (note) => latestCallsOf.current(note)) : undefined,
    [recordingId, isEditable],
  );
  // A note may have been deleted elsewhere, or the list has not loaded yet. Its unsaved text is shown in either
  // case.
  const drafts = open.filter(
    ({ id, isNew }) => isEditable && (isNew || !notes.some((known) => known.id === id)),
  );
  const handleAdd = () => {
    for (const { saver } of drafts) void openNotes.finish(saver);
    const id = newId();
    const place = presentPlace(durationMs);
    openNotes.open(null, { id, recordingId, place }, callsOf({ id, place }));
  };
  useShortcuts({ 'player.note': isEditable ? handleAdd : undefined });
  if (notes.length === 0 && !isEditable) return null;
  // The list contains a new note as soon as it is saved. Until Done, the note is shown in the row that has the
  // editor.
  const shown = notes.filter(({ id }) => !drafts.some((draft) => draft.id === id));
  return (
    <section aria-label={t`Notes`} className={styles.notes}>
      <div className={styles.heading}>
        <h2>
          <Trans>Notes</Trans>
        </h2>
        {isEditable && (
          <Button variant="plain" icon={<NotebookPen aria-hidden />} onPress={handleAdd}>
            <Trans>Add note</Trans>
          </Button>
        )}
      </div>
      {notes.length === 0 && drafts.length === 0 && !isUnanswered && (
        <p className={styles.none}>
          <Trans>Write down what a moment or selection is about.</Trans>
        </p>
      )}
      <ul className={styles.list}>
        {drafts.map(({ id, place, saver }) => (
          <NewNoteListItem key={id} place={place} saver={saver} />
        ))}
        {shown.map((note) => (
          <NoteListItem
            key={note.id}
            note={note}
            durationMs={durationMs}
            actions={isEditable ? actions : null}
            saver={open.find(({ id }) => id === note.id)?.saver ?? null}
          />
        ))}
      </ul>
    </section>
  );
});
