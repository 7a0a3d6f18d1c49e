import { useState } from 'react';
import { newId } from '#device/new-id.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { userScope } from '#web/api/user-scope.ts';
import type { AfterEdit, LineEditorProps } from './line-editor.tsx';
import type { TranscriptActions } from './use-transcript.ts';

/** What the user typed into the editors of lines and has not saved. It stays while the page is open. */
const drafts = new Map<string, string>();
userScope.onSessionEnd(() => drafts.clear());

/** Identifies a line while it is shown. */
export const keyOfLine = ({ fromMs, correction }: TranscriptLine): string => correction?.id ?? String(fromMs);

export interface LineEditing {
  editedKey: string | null;
  /** Opens the editor of a line; absent if nothing can be corrected. */
  open: ((index: number) => void) | undefined;
  /** The editor of a line; null if it is not open. */
  editorOf: (line: TranscriptLine, index: number) => LineEditorProps | null;
}

/** Opens one line at a time for correction. */
export function useLineEditing(
  recordingId: string,
  {
    lines,
    actions,
    focusLine,
  }: {
    lines: readonly TranscriptLine[];
    actions: Pick<TranscriptActions, 'correct' | 'removeCorrection'> | null;
    focusLine: (index: number) => void;
  },
): LineEditing {
  const [editedKey, setEditedKey] = useState<string | null>(null);
  const openLine = (line: TranscriptLine | undefined) =>
    setEditedKey(line === undefined ? null : keyOfLine(line));
  const close = (index: number, after: AfterEdit) => {
    const next = after === 'stay' ? undefined : lines[after === 'next' ? index + 1 : index - 1];
    openLine(next);
    if (next === undefined) requestAnimationFrame(() => focusLine(index));
  };
  return {
    editedKey,
    open: actions === null ? undefined : (index) => openLine(lines[index]),
    editorOf(line, index) {
      if (actions === null || keyOfLine(line) !== editedKey) return null;
      const { fromMs, toMs, correction } = line;
      const draftKey = `${recordingId} ${keyOfLine(line)}`;
      return {
        line,
        draft: drafts.get(draftKey) ?? null,
        onDraft: (text) => void (text === null ? drafts.delete(draftKey) : drafts.set(draftKey, text)),
        onClose: (after) => close(index, after),
        onSave: (text) =>
          actions.correct({
            id: correction?.id ?? newId(),
            fromMs,
            toMs,
            text,
            revision: correction?.revision ?? 0,
          }),
        onRestore: correction === null ? undefined : () => actions.removeCorrection(correction.id),
      };
    },
  };
}
