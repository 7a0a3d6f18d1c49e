import { useSyncExternalStore } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Pause, Play } from 'lucide-react';
import type { Store } from '#base/store.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { Timecode } from '#web/ui/text/timecode.tsx';
import type { LibraryItem } from './library-items.ts';
import styles from './rows.module.css';

export type QueuePlace = 'next' | 'last';

/** What the page's player has to do with the rows. */
export interface RowPlayback {
  /** Plays a recording, or pauses it where it is playing. */
  onPlay: (row: LibraryItem) => void;
  /** The id of the recording that is playing; null where none is. */
  playing: Store<string | null>;
  /** Where this device stopped playing a recording; null where it never did. */
  playedMs: (recordingId: string) => number | null;
  /** The length of what this page records, in whole seconds; null of every other recording. */
  running: { subscribe: (listener: () => void) => () => void; msOf: (recordingId: string) => number | null };
  /** Puts it among what is played next. */
  onQueue: (row: LibraryItem, place: QueuePlace) => void;
}

/** A recording that runs on this device is played once the server has some of it, or it has ended. */
export const isRowPlayable = ({ isOnServer, isUnavailable, state, durationMs }: LibraryItem): boolean =>
  !isUnavailable && state !== 'no-sound' && durationMs > 0 && (isOnServer || state !== 'recording-here');

/** The growing length of a recording that this page records; of another tab's, what was last known. */
export function RunningLength({ row, running }: { row: LibraryItem; running: RowPlayback['running'] }) {
  const lengthMs = () => running.msOf(row.id) ?? row.durationMs;
  const ms = useSyncExternalStore(running.subscribe, lengthMs, lengthMs);
  return ms > 0 && <Timecode ms={ms} />;
}

interface RowPlayProps {
  row: LibraryItem;
  titleId: string;
  playback: RowPlayback;
  tabIndex: number;
}

/** Plays the recording of a row, and shows how much of it was played. */
export function RowPlay({ row, titleId, playback: { onPlay, playing, playedMs }, tabIndex }: RowPlayProps) {
  const { t } = useLingui();
  const isPlaying = useStore(playing) === row.id;
  const heard = playedMs(row.id) ?? 0;
  return (
    <>
      <IconButton
        label={isPlaying ? t`Pause` : t`Play`}
        aria-describedby={titleId}
        tabIndex={tabIndex}
        icon={isPlaying ? <Pause /> : <Play />}
        className={styles.play}
        onPress={() => onPlay(row)}
      />
      {heard > 0 && (
        <progress
          aria-label={t`Played so far`}
          value={Math.min(heard, row.durationMs)}
          max={row.durationMs}
          className={styles.heard}
        />
      )}
    </>
  );
}
