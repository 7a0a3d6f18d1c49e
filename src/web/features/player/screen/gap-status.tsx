import { Trans } from '@lingui/react/macro';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { noticedGapMs } from '#playback/gaps.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { useGapText } from '#web/features/player/use-gap-text.ts';
import styles from './gaps.module.css';

/**
 * Announces politely during playback that a gap was skipped or is playing. Gaps shorter than 0.3 s are not
 * announced.
 */
export function GapStatus() {
  const { gap, skippedGap } = useStore(player);
  const textOf = useGapText();
  const shown = skippedGap ?? gap;
  const text = shown && shown.durationMs >= noticedGapMs ? textOf(shown) : null;
  return (
    <output className={styles.status}>
      {text !== null && (
        <span className={styles.told}>
          {skippedGap ? <Trans>Skipped: {text}</Trans> : <Trans>No audio here: {text}</Trans>}
        </span>
      )}
    </output>
  );
}
