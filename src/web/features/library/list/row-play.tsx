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

/** The player functions that rows use. */
export interface RowPlayback {
  /** Plays a recording, or pauses it if it is playing. */
  onPlay: (row: LibraryItem) => void;
  /** Id of the recording that is playing; null if none is. */
  playing: Store<string | null>;
  /** Position at which this device stopped playing a recording; null if it never played it. */
  playedMs: (recordingId: string) => number | null;
  /**
   * Duration in ms of the recording in progress on this page, in steps of a second; null for any other recording.
   */
  running: { subscribe: (listener: () => void) => () => void; msOf: (recordingId: string) => number | null };
  /** Adds the recording to the play queue. */
  onQueue: (row: LibraryItem, place: QueuePlace) => void;
}

/** A recording in progress on this device is playable once the server has some of it, or once it has ended. */
export const isRowPlayable = ({ isOnServer, isUnavailable, state, durationMs }: LibraryItem): boolean =>
  !isUnavailable && state !== 'no-sound' && durationMs !== 0 && (isOnServer || state !== 'recording-here');

/**
 * The live duration of the recording in progress on this page; for one in another tab, the last known duration.
 */
export function RunningLength({ row, running }: { row: LibraryItem; running: RowPlayback['running'] }) {
  const lengthMs = () => running.msOf(row.id) ?? row.durationMs;
  const ms = useSyncExternalStore(running.subscribe, lengthMs, lengthMs);
  return ms !== null && ms > 0 && <Timecode ms={ms} />;
}

interface RowPlayProps {
  row: LibraryItem;
  titleId: string;
  playback: RowPlayback;
  tabIndex: number;
}

/** Plays the recording of a row, and shows how much of it has been played. */
export function RowPlay({ row, titleId, playback: { onPlay, playing, playedMs }, tabIndex }: RowPlayProps) {
  const { t } = useLingui();
  const isPlaying = useStore(playing) === row.id;
  const positionMs = playedMs(row.id) ?? 0;
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
      {positionMs > 0 && row.durationMs !== null && (
        <progress
          aria-label={t`Played so far`}
          value={Math.min(positionMs, row.durationMs)}
          max={row.durationMs}
          className={styles.played}
        />
      )}
    </>
  );
}
