import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { second } from '#base/duration.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { limits } from '#contract/limits.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { inputDirection } from '#web/ui/text/input-direction.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import styles from './transcript.module.css';

/** Where the editor leads when it closes: to the line itself, or to a neighbour's editor. */
export type AfterEdit = 'stay' | 'previous' | 'next';

export interface LineEditorProps {
  line: TranscriptLine;
  /** What was typed before and is not saved. */
  draft: string | null;
  /** Returns whether the text is saved. */
  onSave: (text: string) => Promise<boolean>;
  onDraft: (text: string | null) => void;
  onClose: (after: AfterEdit) => void;
  /** Shows again what was transcribed; absent for a line that is not corrected. */
  onRestore: (() => Promise<boolean>) | undefined;
}

const skipMs = 5 * second;

/** The keys that control the sound while the hands stay on the text. */
function controlsSound({ altKey, key }: KeyboardEvent, isRightToLeft: boolean): boolean {
  if (!altKey) return false;
  if (key === ' ') player.toggle();
  else if (key === 'ArrowLeft') player.skip(isRightToLeft ? skipMs : -skipMs);
  else if (key === 'ArrowRight') player.skip(isRightToLeft ? -skipMs : skipMs);
  else return false;
  return true;
}

/** Corrects a line in place. Enter saves, Escape leaves the line as it was. */
export function LineEditor({ line, draft, onSave, onDraft, onClose, onRestore }: LineEditorProps) {
  const { t } = useLingui();
  const [text, setText] = useState(draft ?? line.text);
  const [isSaving, setSaving] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const time = isoLeftToRight(formatTimecode(line.fromMs));
  useEffect(() => {
    field.current?.focus();
  }, []);
  const save = async (after: AfterEdit) => {
    if (text.trim() === line.text) {
      onDraft(null);
      onClose(after);
      return;
    }
    setSaving(true);
    const isSaved = await onSave(text);
    setSaving(false);
    if (!isSaved) return;
    onDraft(null);
    onClose(after);
  };
  /** Closes the editor if what was sent has succeeded. */
  const closeAfter = async (sent: Promise<boolean>) => {
    if (!(await sent)) return;
    onDraft(null);
    onClose('stay');
  };
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation();
    const { key, altKey, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl';
    if (controlsSound(event, isRightToLeft)) event.preventDefault();
    else if (altKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      void save(key === 'ArrowDown' ? 'next' : 'previous');
    } else if (key === 'Enter') {
      event.preventDefault();
      void save('stay');
    } else if (key === 'Escape') {
      onDraft(null);
      onClose('stay');
    }
  };
  return (
    <div className={styles.editor}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={t`Text of the line at ${time}`}
        dir={inputDirection(text)}
        rows={2}
        maxLength={limits.transcript.correctionLength}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onDraft(value);
        }}
        onKeyDown={handleKey}
      />
      <div className={styles.editorActions}>
        <Button variant="primary" isPending={isSaving} onPress={() => void save('stay')}>
          <Trans>Save</Trans>
        </Button>
        <Button
          onPress={() => {
            onDraft(null);
            onClose('stay');
          }}
        >
          <Trans>Cancel</Trans>
        </Button>
        <Button variant="plain" onPress={() => void closeAfter(onSave(''))}>
          <Trans>Not speech</Trans>
        </Button>
        {onRestore && (
          <Button variant="plain" onPress={() => void closeAfter(onRestore())}>
            <Trans>Undo the correction</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}
