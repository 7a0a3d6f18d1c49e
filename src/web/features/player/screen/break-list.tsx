import { Trans, useLingui } from '@lingui/react/macro';
import { Timecode } from '#web/ui/text/timecode.tsx';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { gapLengthFor } from '#web/i18n/short-length.ts';
import type { PlayableBreak } from '#web/features/player/playable-recording.ts';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import { stoppedFor } from '#web/features/player/use-gap-text.ts';
import styles from './gaps.module.css';

/** Lists where the user paused or stopped the recording, and for how long. Renders nothing if there are no breaks. */
export function BreakList({ breaks }: { breaks: readonly PlayableBreak[] }) {
  const { t, i18n } = useLingui();
  const lengthOf = gapLengthFor(regionalLocale(i18n.locale));
  if (breaks.length === 0) return null;
  const textOf = ({ durationMs, cause }: PlayableBreak): string => {
    const length = lengthOf(durationMs);
    return cause === 'stopped' ? i18n._(stoppedFor(length)) : t`Paused for ${length}`;
  };
  return (
    <section aria-label={t`Breaks`} className={styles.gaps}>
      <h2>
        <Trans>Breaks</Trans>
      </h2>
      <p className={styles.note}>
        <Trans>A break takes no time here: the recording continues directly after it.</Trans>
      </p>
      <ol className={styles.list}>
        {breaks.map((each, index) => (
          <li key={`${each.atMs}/${index}`} className={styles.row}>
            <SeekLink atMs={each.atMs} className={styles.time}>
              <Timecode ms={each.atMs} tenths />
            </SeekLink>
            <span>{textOf(each)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
