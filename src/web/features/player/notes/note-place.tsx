import { Timecode } from '#web/ui/text/timecode.tsx';
import { player } from '#web/features/player/engine/shared-player.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { momentFragment } from '#web/features/player/moment.ts';
import styles from './notes.module.css';

export interface NoteMoment {
  fromMs: number;
  toMs: number | null;
}

/** Where a new note belongs: what is selected, else the moment that is heard. */
export function presentPlace(durationMs: number): NoteMoment {
  return (
    selection.getSnapshot() ?? { fromMs: Math.round(Math.min(player.positionMs(), durationMs)), toMs: null }
  );
}

/** The moment or the stretch a note is about; a press goes there. */
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
