import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { second } from '#base/duration.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { classes } from '#web/ui/classes.ts';
import { player } from '../engine/shared-player.ts';
import styles from './transport.module.css';

const skipsSeconds = [30, 10, 5] as const;

/** Play, pause and skips; left to right in every language, as on a tape. */
export function Transport() {
  const { t } = useLingui();
  const { status } = useStore(player);
  const isRunning = status === 'playing' || status === 'waiting';
  return (
    <div dir="ltr" className={styles.transport}>
      {skipsSeconds.map((seconds) => <Skip key={-seconds} bySeconds={-seconds} />)}
      <AriaButton
        aria-label={isRunning ? t`Pause` : t`Play`}
        data-tooltip={isRunning ? t`Pause (K)` : t`Play (K)`}
        onPress={() => player.toggle()}
        className={classes(styles.play, status === 'waiting' && styles.waiting)}
      >
        {isRunning ? <Pause aria-hidden /> : <Play aria-hidden />}
      </AriaButton>
      {skipsSeconds.toReversed().map((seconds) => <Skip key={seconds} bySeconds={seconds} />)}
      <output dir="auto" className={styles.wait}>{status === 'waiting' && <Trans>Waiting for audio…</Trans>}</output>
    </div>
  );
}

function Skip({ bySeconds }: { bySeconds: number }) {
  const { t } = useLingui();
  const seconds = Math.abs(bySeconds);
  const label = bySeconds < 0 ? t`${plural(seconds, { one: 'Back # second', other: 'Back # seconds' })}` : t`${plural(seconds, { one: 'Forward # second', other: 'Forward # seconds' })}`;
  return (
    <AriaButton aria-label={label} data-tooltip={label} onPress={() => player.skip(bySeconds * second)} className={classes(styles.skip, styles[`by${seconds}`])}>
      {bySeconds < 0 ? '−' : '+'}{seconds}
    </AriaButton>
  );
}
