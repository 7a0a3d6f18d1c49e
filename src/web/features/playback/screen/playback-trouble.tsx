import { Trans } from '@lingui/react/macro';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { player } from '../engine/shared-player.ts';
import type { Waveform } from '../waveform/waveform.ts';
import styles from './screen.module.css';

/** Says what went wrong with the sound or its picture, and what can be done. */
export function PlaybackTrouble({ waveform }: { waveform: Waveform }) {
  const { failure } = useStore(player);
  const peaks = useStore(waveform.reader);
  const retry = <Button onPress={() => player.retry()}><Trans>Try again</Trans></Button>;
  if (failure === 'network') {
    return (
      <Notice tone="danger" role="alert" className={styles.trouble} title={<Trans>The audio did not come through.</Trans>} action={retry}>
        <Trans>The recording itself is safe. Check the connection, then go on from the same moment.</Trans>
      </Notice>
    );
  }
  if (failure === 'unplayable') {
    return (
      <Notice tone="danger" role="alert" className={styles.trouble} title={<Trans>This browser cannot play this recording.</Trans>} action={retry}>
        <Trans>The recording itself is safe: you can download it and play it in another program.</Trans>
      </Notice>
    );
  }
  if (peaks !== 'failed') return null;
  return <Notice tone="info" className={styles.trouble}><Trans>The waveform could not be drawn. Playing works without it.</Trans></Notice>;
}
