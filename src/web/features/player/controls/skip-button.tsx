import { RotateCcw, RotateCw } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { skipSeconds } from './skip-seconds.ts';
import { useSkip } from './use-skip.ts';
import styles from './skip.module.css';

/** Skips back or forward. Its icon is an arrow around the number of seconds. */
export function SkipButton({ isBack, className }: { isBack: boolean; className?: string | undefined }) {
  const { label, skip } = useSkip(isBack ? -skipSeconds : skipSeconds);
  const shortcut = useKeyLabel(isBack ? 'player.back' : 'player.forward');
  const Arrow = isBack ? RotateCcw : RotateCw;
  return (
    <IconButton
      label={label}
      shortcut={shortcut}
      className={className}
      onPress={skip}
      icon={
        <span aria-hidden data-seconds={skipSeconds} className={styles.skip}>
          <Arrow />
        </span>
      }
    />
  );
}
