import { Trans } from '@lingui/react/macro';
import { second } from '#base/duration.ts';
import { isoLeftToRight } from '#web/i18n/iso.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { formatTimecode } from '#base/format-timecode.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import { resumedStore } from '#web/features/player/playback/resume.ts';
import styles from './resumed-line.module.css';

/** Shown until playback has moved on this far, or is sought to before the start of this range. */
const shownForMs = 30 * second;

/** Says that the recording was resumed, and offers to start over. */
export function ResumedLine({ recordingId }: { recordingId: string }) {
  const resumed = useStore(resumedStore);
  const { positionMs } = useStore(player);
  if (
    resumed?.recordingId !== recordingId ||
    positionMs < resumed.atMs - second ||
    positionMs > resumed.atMs + shownForMs
  )
    return null;
  const time = isoLeftToRight(formatTimecode(resumed.atMs));
  return (
    <p className={styles.line}>
      <span>
        <Trans>Resuming at {time}</Trans>
      </span>
      <Button variant="plain" onPress={() => player.seek(0)}>
        <Trans>Start over</Trans>
      </Button>
    </p>
  );
}
