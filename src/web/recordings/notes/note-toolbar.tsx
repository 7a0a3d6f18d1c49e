import type { KeyboardEvent, RefObject } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Bold, Italic, Link, List } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { formatted, type NoteFormat } from './note-format.ts';
import styles from './notes.module.css';

const keys: Readonly<Record<string, NoteFormat>> = { b: 'bold', i: 'italic', k: 'link' };

/** Applies a format as if it had been typed, so that the browser's undo includes it. */
function apply(field: HTMLTextAreaElement, format: NoteFormat): void {
  const { from, to, insert, selectFrom, selectTo } = formatted(field, format);
  field.focus();
  field.setSelectionRange(from, to);
  if (!document.execCommand('insertText', false, insert)) {
    field.setRangeText(insert, from, to, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  field.setSelectionRange(selectFrom, selectTo);
}

/** Handles Ctrl or ⌘ with B, I or K; returns whether the key was one of them. */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const format =
    (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      ? keys[event.key.toLowerCase()]
      : undefined;
  if (!format) return false;
  event.preventDefault();
  apply(event.currentTarget, format);
  return true;
}

/** The buttons for a note's formats, above its text. */
export function NoteToolbar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const { t } = useLingui();
  const press = (format: NoteFormat) => () => {
    if (field.current) apply(field.current, format);
  };
  return (
    <div role="toolbar" aria-label={t`Formatting`} className={styles.toolbar}>
      <IconButton
        label={t({ message: 'Bold', context: 'text format' })}
        shortcut="Ctrl B"
        icon={<Bold />}
        onPress={press('bold')}
      />
      <IconButton
        label={t({ message: 'Italic', context: 'text format' })}
        shortcut="Ctrl I"
        icon={<Italic />}
        onPress={press('italic')}
      />
      <IconButton
        label={t({ message: 'Link', context: 'text format' })}
        shortcut="Ctrl K"
        icon={<Link />}
        onPress={press('link')}
      />
      <IconButton
        label={t({ message: 'List', context: 'text format' })}
        icon={<List />}
        onPress={press('list')}
      />
    </div>
  );
}
