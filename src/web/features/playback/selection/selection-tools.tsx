import { useLingui } from '@lingui/react/macro';
import { ArrowLeftToLine, ArrowRightToLine, Repeat } from 'lucide-react';
import { useKeyLabel } from '#web/keys/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { looping } from './looping.ts';
import { selectFromHere, selectToHere } from './steps.ts';
import styles from './selection.module.css';

/** A stretch is chosen by two presses instead of a drag, and heard again and again. */
export function SelectionTools() {
  const { t } = useLingui();
  const isLooping = useStore(looping);
  return (
    <div dir="ltr" className={styles.tools}>
      <IconButton label={t({ message: 'Set selection start', comment: 'The selected part of the recording begins where the playhead is' })} shortcut={useKeyLabel('player.start')} icon={<ArrowLeftToLine />} onPress={selectFromHere} />
      <IconButton label={t({ message: 'Loop', comment: 'A switch: play the same part again and again' })} shortcut={useKeyLabel('player.loop')} icon={<Repeat />} pressed={isLooping} className={styles.loop} onPress={() => looping.set(!isLooping)} />
      <IconButton label={t({ message: 'Set selection end', comment: 'The selected part of the recording ends where the playhead is' })} shortcut={useKeyLabel('player.end')} icon={<ArrowRightToLine />} onPress={selectToHere} />
    </div>
  );
}
