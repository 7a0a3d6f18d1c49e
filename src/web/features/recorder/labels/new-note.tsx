import { useStore } from '#web/ui/hooks/use-store.ts';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isOpen, takeOf } from '#web/features/recorder/take/take.ts';
import { noteBeingWritten } from './note-being-written.ts';
import { WrittenNote } from './written-note.tsx';

/**
 * The field of the note that was just started, below the waveform, where it is seen without scrolling. It replaces
 * the level, and the waveform is lower meanwhile, so that no button moves. The note joins the list when it is closed.
 */
export function NewNote() {
  const state = useTake();
  const written = useStore(noteBeingWritten);
  const note = takeOf(state)?.notes.find(({ id }) => id === written?.noteId);
  return (
    written?.isNew === true &&
    note !== undefined && (
      <WrittenNote key={note.id} note={note} written={written} isEditable={isOpen(state)} />
    )
  );
}
