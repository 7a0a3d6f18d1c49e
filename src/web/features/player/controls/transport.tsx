import { memo } from 'react';
import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useKeyLabel } from '#web/shortcuts/use-key-label.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { classes } from '#web/ui/classes.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { SkipButton } from './skip-button.tsx';
import styles from './transport.module.css';

const withKey = (label: string, key: string) => (key ? `${label} (${key})` : label);

/** Play, pause and skip buttons, left to right in every language. */
export const Transport = memo(function Transport() {
  const { t } = useLingui();
  const { status, failure } = useStore(player);
  const isRunning = status === 'playing' || status === 'waiting';
  const label = isRunning ? t`Pause` : t`Play`;
  const playKey = useKeyLabel('player.play');
  return (
    <div dir="ltr" className={styles.transport}>
      <SkipButton isBack className={styles.skip} />
      <AriaButton
        aria-label={label}
        data-tooltip={withKey(label, playKey)}
        onPress={() => player.toggle()}
        className={classes(styles.play, status === 'waiting' && styles.waiting)}
      >
        {isRunning ? <Pause aria-hidden /> : <Play aria-hidden />}
      </AriaButton>
      <SkipButton isBack={false} className={styles.skip} />
      <output dir="auto" className={styles.wait}>
        {status === 'waiting' && failure === null && <Trans>Loading audio…</Trans>}
      </output>
    </div>
  );
});
