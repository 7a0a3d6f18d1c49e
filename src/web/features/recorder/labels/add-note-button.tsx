import { Trans, useLingui } from '@lingui/react/macro';
import { NotebookPen } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { noteBeingWritten } from './note-being-written.ts';

/** Starts a note at the current moment of the running take. */
export function AddNoteButton() {
  const { t } = useLingui();
  const key = useKeyLabel('recorder.note');
  const handleAdd = () => noteBeingWritten.start();
  useShortcuts({ 'recorder.note': handleAdd });
  const name = t`Add note`;
  return (
    <Button
      variant="plain"
      icon={<NotebookPen aria-hidden />}
      data-tooltip={key ? `${name} (${key})` : undefined}
      onPress={handleAdd}
    >
      <Trans>Add note</Trans>
    </Button>
  );
}
