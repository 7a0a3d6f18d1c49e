import { useLingui } from '@lingui/react/macro';
import { Repeat } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { looping } from '#web/features/player/waveform/looping.ts';
import { selectFromHere, selectToHere } from '#web/features/player/waveform/steps.ts';
import styles from './selection.module.css';

/** Sets the start and the end of the selection without dragging, and loops it. */
export function SelectionTools() {
  const { t } = useLingui();
  const isLooping = useStore(looping);
  const loop = t({ message: 'Loop', comment: 'A switch: play the same part again and again' });
  return (
    <div dir="ltr" className={styles.tools}>
      <IconButton
        label={t({
          message: 'Set selection start',
          comment: 'The selected part of the recording begins where the playhead is',
        })}
        shortcut={useKeyLabel('player.start')}
        icon={<Bracket>[</Bracket>}
        word={t({
          message: 'Start',
          comment: 'Short label of the button “Set selection start”; use a word that its long label contains',
        })}
        onPress={selectFromHere}
      />
      <IconButton
        label={loop}
        word={loop}
        shortcut={useKeyLabel('player.loop')}
        icon={<Repeat />}
        pressed={isLooping}
        className={styles.loop}
        onPress={() => looping.set(!isLooping)}
      />
      <IconButton
        label={t({
          message: 'Set selection end',
          comment: 'The selected part of the recording ends where the playhead is',
        })}
        shortcut={useKeyLabel('player.end')}
        icon={<Bracket>]</Bracket>}
        word={t({
          message: 'End',
          comment: 'Short label of the button “Set selection end”; use a word that its long label contains',
        })}
        onPress={selectToHere}
      />
    </div>
  );
}

function Bracket({ children }: { children: string }) {
  return (
    <span aria-hidden className={styles.bracket}>
      {children}
    </span>
  );
}
