import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { classes } from '#web/ui/classes.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { takeTyped } from '#web/shortcuts/typing-ahead.ts';
import { NoteField } from '#web/recordings/notes/note-field.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { returnFocus } from '#web/ui/focus/return-focus.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { TakeNote } from '#device/records/take-record.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { noteBeingWritten, type NoteBeingWritten } from './note-being-written.ts';
import styles from './note-list.module.css';
import { replaceControlCharacters } from '#base/text.ts';

export interface WrittenNoteProps {
  note: TakeNote;
  written: NoteBeingWritten;
  isEditable: boolean;
}

/**
 * The editor of a note. Every keystroke is stored on the device. After the take has stopped, the field is
 * read-only and disappears when it loses the focus.
 */
export function WrittenNote({ note, written, isEditable }: WrittenNoteProps) {
  const { t } = useLingui();
  const editor = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(note.text);
  const { from, isNew } = written;
  const time = isoLeftToRight(formatTimecode(note.atMs));
  useEffect(() => {
    // Don't take the focus if the user has moved it since.
    if (document.activeElement !== from) return;
    field.current?.focus({ preventScroll: true });
    // Above the field of a new note are clock and waveform, of which as much as possible stays on the screen.
    editor.current?.scrollIntoView({ block: isNew ? 'end' : 'nearest' });
  }, [from, isNew]);
  const leave = useEffectEvent(() => {
    if (document.activeElement !== field.current) noteBeingWritten.close();
  });
  useEffect(() => {
    if (!isEditable) leave();
  }, [isEditable]);

  const handleChange = (typed: string) => {
    const clean = cleanNoteText(typed);
    setText(clean);
    recorder.changeLabel({ type: 'write-note', noteId: note.id, text: clean });
  };
  const handleFocus = () => {
    const typed = takeTyped();
    if (typed !== '') handleChange(text + typed);
  };
  const handleDone = () => {
    noteBeingWritten.close();
    returnFocus(from);
  };
  return (
    <div
      ref={editor}
      data-new-note={isNew || undefined}
      className={classes(styles.editor, isNew && styles.isNew)}
    >
      <Timecode ms={note.atMs} className={styles.time} />
      <NoteField
        field={field}
        label={t`Note at ${time}`}
        value={text}
        rows={isNew ? 2 : 4}
        isReadOnly={!isEditable}
        onChange={handleChange}
        onFocus={handleFocus}
        onBlur={() => {
          if (!isEditable) noteBeingWritten.close();
        }}
        onDone={handleDone}
      />
      <div className={styles.foot}>
        <Button variant="primary" onPress={handleDone}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </div>
  );
}

/**
 * Removes characters that notes must not contain: control characters other than line breaks and tabs, and marks
 * that change the direction of the following text.
 */
const cleanNoteText = (text: string): string =>
  replaceControlCharacters(text.replaceAll(/\r\n?/g, '\n'), (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
