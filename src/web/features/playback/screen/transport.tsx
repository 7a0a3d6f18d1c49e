import { memo } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useKeyLabel } from '#web/keys/use-key-label.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { classes } from '#web/ui/classes.ts';
import { player } from '../engine/shared-player.ts';
import { useSkip } from './use-skip.ts';
import styles from './transport.module.css';

const skipsSeconds = [30, 10, 5] as const;
/** The skip that has a key of its own. */
const keyedSeconds = 10;

const withKey = (label: string, key: string) => (key ? `${label} (${key})` : label);

/** Play, pause and skips; left to right in every language, as on a tape. */
export const Transport = memo(function Transport() {
  const { t } = useLingui();
  const { status } = useStore(player);
  const isRunning = status === 'playing' || status === 'waiting';
  const label = isRunning ? t`Pause` : t`Play`;
  const playKey = useKeyLabel('player.play');
  return (
    <div dir="ltr" className={styles.transport}>
      {skipsSeconds.map((seconds) => <Skip key={-seconds} bySeconds={-seconds} />)}
      <AriaButton
        aria-label={label}
        data-tooltip={withKey(label, playKey)}
        onPress={() => player.toggle()}
        className={classes(styles.play, status === 'waiting' && styles.waiting)}
      >
        {isRunning ? <Pause aria-hidden /> : <Play aria-hidden />}
      </AriaButton>
      {skipsSeconds.toReversed().map((seconds) => <Skip key={seconds} bySeconds={seconds} />)}
      <output dir="auto" className={styles.wait}>{status === 'waiting' && <Trans>Loading audio…</Trans>}</output>
    </div>
  );
});

function Skip({ bySeconds }: { bySeconds: number }) {
  const { label, sign, skip } = useSkip(bySeconds);
  const seconds = Math.abs(bySeconds);
  const key = useKeyLabel(bySeconds < 0 ? 'player.back' : 'player.forward');
  return (
    <AriaButton aria-label={label} data-tooltip={seconds === keyedSeconds ? withKey(label, key) : label} onPress={skip} className={classes(styles.skip, styles[`by${seconds}`])}>
      {sign}
    </AriaButton>
  );
}
