import { Timecode } from '#web/ui/text/timecode.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { momentFragment } from '#web/features/player/moment.ts';
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
    <a
      href={momentFragment(fromMs)}
      className={styles.time}
      onClick={(event) => {
        event.preventDefault();
        if (toMs !== null) selection.set({ fromMs, toMs });
        player.seek(fromMs);
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
    </a>
  );
}
