import { Trans, useLingui } from '@lingui/react/macro';
import { Radio } from 'lucide-react';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { isLive, jumpToLive } from './live.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import styles from './screen.module.css';

/** Shows for a live recording whether playback is at the live edge, and otherwise a button that goes there. */
export function LiveLine() {
  const { t } = useLingui();
  const key = useKeyLabel('player.live');
  const snapshot = useStore(player);
  if (snapshot.track?.growing !== true) return null;
  const label = t`Go to live`;
  return (
    <p className={styles.liveLine}>
      {isLive(snapshot) ? (
        <span className={styles.live}>
          <Trans comment="What is heard is being recorded at this moment">Live</Trans>
        </span>
      ) : (
        <Button
          variant="plain"
          icon={<Radio aria-hidden />}
          data-tooltip={key ? `${label} (${key})` : label}
          onPress={jumpToLive}
        >
          {label}
        </Button>
      )}
    </p>
  );
}
