import { Trans, useLingui } from '@lingui/react/macro';
import { listedGaps } from '#contract/gap-summary.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { PlayableGap } from '#web/features/player/playable-recording.ts';
import { useGapText } from '#web/features/player/use-gap-text.ts';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import styles from './gaps.module.css';

/** Lists every gap with its time, cause and length, small ones close to each other as one. Renders nothing if there are none. */
export function GapList({ gaps }: { gaps: readonly PlayableGap[] }) {
  const { t } = useLingui();
  const textOf = useGapText();
  if (gaps.length === 0) return null;
  return (
    <section aria-label={t`Gaps`} className={styles.gaps}>
      <h2>
        <Trans>Gaps</Trans>
      </h2>
      {gaps.some(({ durationMs }) => durationMs > 0) && (
        <p className={styles.note}>
          <Trans>Nothing was recorded here. Everything before and after keeps its exact time.</Trans>
        </p>
      )}
      {gaps.some(({ cutMs }) => cutMs !== undefined) && (
        <p className={styles.note}>
          <Trans>
            The browser’s own recorder lost some audio. It takes no time here: the recording continues
            directly after it.
          </Trans>
        </p>
      )}
      <ol className={styles.list}>
        {listedGaps(gaps).map((gap, index) => (
          <li key={`${gap.atMs}/${index}`} className={styles.row}>
            <SeekLink atMs={gap.atMs} className={styles.time}>
              <Timecode ms={gap.atMs} tenths />
            </SeekLink>
            <span>{textOf(gap)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
