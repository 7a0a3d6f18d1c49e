import { Trans } from '@lingui/react/macro';
import { connection, isUnreachable } from '#web/api/connection/connection.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { isServerTrack } from '#web/features/player/playback/resume.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { Waveform } from '#web/features/player/waveform/waveform.ts';
import styles from './screen.module.css';

/**
 * Explains a failure of the audio or the waveform, and what the user can do. Stands below the controls, so that they do
 * not move when it comes and goes.
 */
export function PlaybackError({ waveform }: { waveform: Waveform }) {
  const { failure, status, track } = useStore(player);
  const isCutOff = isUnreachable(useStore(connection));
  const peaks = useStore(waveform.reader);
  // A browser may try for minutes before it reports a failure.
  const isInterrupted = isCutOff && status === 'waiting' && track !== null && isServerTrack(track);
  const retry = (
    <Button onPress={() => player.retry()}>
      <Trans>Try again</Trans>
    </Button>
  );
  if (failure === 'network' || isInterrupted) {
    return (
      <Notice
        tone="warn"
        role="alert"
        className={styles.trouble}
        title={
          isInterrupted ? (
            <Trans>Connection lost. Playback resumes automatically.</Trans>
          ) : (
            <Trans>Couldn’t load the audio.</Trans>
          )
        }
        action={retry}
      >
        <Trans>The recording itself is safe. Earshot keeps trying to load the audio.</Trans>
      </Notice>
    );
  }
  if (failure === 'unplayable') {
    return (
      <Notice
        tone="danger"
        role="alert"
        className={styles.trouble}
        title={<Trans>This browser can’t play this recording.</Trans>}
        action={retry}
      >
        <Trans>The recording itself is safe. You can download it and play it in another app.</Trans>
      </Notice>
    );
  }
  if (peaks !== 'failed') return null;
  return (
    <Notice tone="info" className={styles.trouble}>
      <Trans>Couldn’t draw the waveform. You can still play the recording.</Trans>
    </Notice>
  );
}
