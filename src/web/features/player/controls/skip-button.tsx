import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { RotateCcw, RotateCw } from 'lucide-react';
import { second } from '#base/duration.ts';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { skipSeconds } from './skip-seconds.ts';
import styles from './skip.module.css';

/** Skips backward or forward. The icon shows the number of seconds inside an arrow. */
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

/**
 * The label and action of a skip button.
 * @param bySeconds negative values skip backward
 */
function useSkip(bySeconds: number): { label: string; skip: () => void } {
  const { t } = useLingui();
  const seconds = Math.abs(bySeconds);
  return {
    label:
      bySeconds < 0
        ? t`${plural(seconds, { one: 'Back # second', other: 'Back # seconds' })}`
        : t`${plural(seconds, { one: 'Forward # second', other: 'Forward # seconds' })}`,
    skip: () => player.skip(bySeconds * second),
  };
}
