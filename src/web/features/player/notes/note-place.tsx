import { Timecode } from '#web/ui/text/timecode.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { SeekLink } from '#web/features/player/seek-link.tsx';
import styles from './notes.module.css';

export interface NoteMoment {
  fromMs: number;
  toMs: number | null;
}

/** The place of a new note: the selection, or else the playback position. */
export function presentPlace(durationMs: number): NoteMoment {
  return (
    selection.getSnapshot() ?? { fromMs: Math.round(Math.min(player.positionMs(), durationMs)), toMs: null }
  );
}

/** The moment or range that a note refers to; activating it seeks there. */
export function NotePlace({ fromMs, toMs }: NoteMoment) {
  return (
    <SeekLink
      atMs={fromMs}
      className={styles.time}
      onPress={() => {
        if (toMs !== null) selection.set({ fromMs, toMs });
      }}
    >
      <span dir="ltr">
        <Timecode ms={fromMs} />
        {toMs !== null && (
          <>
            –<Timecode ms={toMs} />
          </>
        )}
      </span>
    </SeekLink>
  );
}
