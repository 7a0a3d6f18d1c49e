import { useId, type ReactNode } from 'react';
import { Plural, useLingui } from '@lingui/react/macro';
import { RecordedTimeText } from '#web/recordings/time/recorded-time-text.tsx';
import { RecordingTitle } from '#web/recordings/time/recording-title.tsx';
import { classes } from '#web/ui/classes.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { LocalOverviews } from './local-overviews.ts';
import { LocalThumbnail, ThumbnailWave } from './thumbnail-wave.tsx';
import { stateMessages, type StateMessages } from '#web/recordings/state/state-messages.ts';
import type { LibraryItem } from './library-items.ts';
import styles from './rows.module.css';

const toneStyles: Record<StateMessages['tone'], string | undefined> = {
  live: styles.isLive,
  neutral: styles.isOpen,
  safe: styles.isSafe,
  warn: styles.isWarning,
  device: styles.isHere,
};

export interface RecordingListItemProps {
  row: LibraryItem;
  overviews: LocalOverviews;
  /** The title with search matches marked; defaults to the plain title. */
  title?: ReactNode;
  /** Rendered below the facts: the text that matched the search. */
  hit?: ReactNode;
  /** The live length while this device records; defaults to the length of the row. */
  length?: ReactNode;
  /** Additional facts of the recording, such as its tags. */
  facts?: ReactNode;
  /** Whether the row is the tab stop; arrow keys move to the other rows. */
  isTabStop?: boolean;
  isChosen?: boolean;
  /** Set while the row may disappear in the next frame; the waveform is then left out. */
  isFleeting?: boolean;
  /** The controls of the row, given the id of its title. */
  controls?: ((titleId: string) => ReactNode) | undefined;
}

/**
 * One recording in a list. The whole row is a link; other actions appear on hover and focus, or in a menu on touch
 * screens.
 */
export function RecordingListItem({
  row,
  overviews,
  title,
  hit,
  length,
  facts,
  isTabStop = true,
  isChosen = false,
  isFleeting = false,
  controls,
}: RecordingListItemProps) {
  const titleId = useId();
  return (
    <div
      className={classes(
        styles.row,
        controls && styles.controlled,
        isChosen && styles.chosen,
        row.isUnavailable && styles.unavailable,
      )}
    >
      <div className={styles.text}>
        <Link
          unstyled
          href={`/recordings/${row.id}`}
          dir="auto"
          className={styles.title}
          tabIndex={isTabStop ? 0 : -1}
          draggable={false}
        >
          <span id={titleId}>{title ?? <RecordingTitle of={row} />}</span>
        </Link>
        <Meta row={row} facts={facts} />
        {hit}
      </div>
      <Sound row={row} length={length} overviews={overviews} isFleeting={isFleeting} />
      {controls?.(titleId)}
    </div>
  );
}

/** The known time of a recording whose title does not show it, and other facts. The heading says if it is unknown. */
function Meta({ row, facts }: Pick<RecordingListItemProps, 'row' | 'facts'>) {
  return (
    <span className={styles.meta}>
      {row.title !== '' && row.recordedTime.kind !== 'unknown' && (
        <RecordedTimeText time={row.recordedTime} />
      )}
      {row.markers > 0 && (
        <span>
          <Plural value={row.markers} one="# marker" other="# markers" />
        </span>
      )}
      {facts}
    </span>
  );
}

/**
 * Waveform, length and state. A file without audio has neither waveform nor length; an unknown length is left out.
 */
function Sound({
  row,
  length,
  overviews,
  isFleeting,
}: Pick<RecordingListItemProps, 'row' | 'length' | 'overviews'> & { isFleeting: boolean }) {
  const { i18n } = useLingui();
  const messages = stateMessages[row.state];
  return (
    <>
      {row.state === 'no-sound' ? (
        <span />
      ) : (
        <Shape row={row} overviews={overviews} isFleeting={isFleeting} />
      )}
      <span className={styles.length}>
        {length ?? (row.durationMs !== null && row.durationMs > 0 && <Timecode ms={row.durationMs} />)}
      </span>
      <span className={classes(styles.state, toneStyles[messages.tone])} title={i18n._(messages.long)}>
        {i18n._(messages.short)}
      </span>
    </>
  );
}

function Shape({
  row,
  overviews,
  isFleeting,
}: Pick<RecordingListItemProps, 'row' | 'overviews'> & { isFleeting: boolean }) {
  const isRunning = row.state === 'recording-here';
  return row.isOnServer || isRunning || isFleeting ? (
    <ThumbnailWave overview={isFleeting ? null : row.overview} />
  ) : (
    <LocalThumbnail overviews={overviews} take={row} />
  );
}
