import { memo, useMemo, startTransition, useEffect, useState, type ComponentType } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { Tag } from '#contract/library-api.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import type { LocalOverviews } from './local-overviews.ts';
import { HitLine } from './hit-line.tsx';
import { MarkedText } from './marked-text.tsx';
import { titleHitOf } from './title-hit.ts';
import { RecordingListItem } from './recording-list-item.tsx';
import { RowControls, type RowActions } from './row-controls.tsx';
import { RunningLength } from './row-play.tsx';
import type { LibraryItem } from './library-items.ts';
import { TagFacts } from './tag-facts.tsx';
import styles from './rows.module.css';

/** Connects the rows with the links that others have. */
export interface RowSharing {
  /** Shares a recording. Called during the press. */
  onShare: (row: LibraryItem) => void;
  /** Shown with the facts of a recording that others can listen to. */
  SharedSign: ComponentType<{ recordingId: string; growingMs: number | null }>;
}

/** How much of a recording there is while it is being made, here or elsewhere; null if it isn't. */
const growingMsOf = ({ state, durationMs }: LibraryItem): number | null =>
  state === 'recording-here' || state === 'recording-elsewhere' ? (durationMs ?? 0) : null;

export interface LibraryListItemProps extends Pick<RowSharing, 'SharedSign'> {
  /** Undefined while the row is loading. */
  row: LibraryItem | undefined;
  overviews: LocalOverviews;
  tagsById: ReadonlyMap<string, Tag>;
  actions: RowActions;
  /** The search text. */
  search: string;
  isTabStop: boolean;
  isChosen: boolean;
  /** Whether the list is being scrolled. */
  isMoving: () => boolean;
  onToggle: (id: string) => void;
}

/**
 * One row of the library's list. Memoised, because scrolling renders the list often. While the list scrolls a row
 * shows only its text; the waveform and controls follow once it stays on screen.
 */
export const LibraryListItem = memo(function LibraryListItem({
  row,
  overviews,
  tagsById,
  actions,
  SharedSign,
  search,
  isTabStop,
  isChosen,
  isMoving,
  onToggle,
}: LibraryListItemProps) {
  const { t } = useLingui();
  const isSettled = useSettled(isMoving) || isTabStop || isChosen;
  const titleHit = useMemo(() => row && titleHitOf(row, search), [row, search]);
  if (!row)
    return (
      <div data-waiting="" tabIndex={-1} className={styles.waiting}>
        <VisuallyHidden>{t`Loading recordings…`}</VisuallyHidden>
      </div>
    );
  return (
    <RecordingListItem
      row={row}
      overviews={overviews}
      length={
        row.state === 'recording-here' ? <RunningLength row={row} running={actions.running} /> : undefined
      }
      isTabStop={isTabStop}
      isChosen={isChosen}
      isFleeting={!isSettled}
      facts={
        <>
          {row.isOnServer && <SharedSign recordingId={row.id} growingMs={growingMsOf(row)} />}
          <TagFacts tagIds={row.tagIds} tagsById={tagsById} />
        </>
      }
      title={titleHit && <MarkedText hit={titleHit} />}
      hit={
        row.hit &&
        row.hit.kind !== 'title' && (
          <HitLine recordingId={row.id} hit={row.hit} tabIndex={isTabStop ? 0 : -1} />
        )
      }
      controls={(titleId) =>
        isSettled ? (
          <RowControls
            row={row}
            titleId={titleId}
            actions={actions}
            isTabStop={isTabStop}
            isChosen={isChosen}
            onToggle={() => onToggle(row.id)}
          />
        ) : (
          <span className={styles.actions} />
        )
      }
    />
  );
});

/** A row that leaves the screen sooner was scrolled past and not read. */
const settleDelayMs = 120;

/**
 * Whether a row that scrolled into view has stayed: true immediately if the list is not moving, otherwise after a
 * delay.
 * @param isMoving whether the list is being scrolled; called once
 */
function useSettled(isMoving: () => boolean): boolean {
  const [isSettled, setSettled] = useState(() => !isMoving());
  useEffect(() => {
    if (isSettled) return undefined;
    const timer = setTimeout(() => {
      startTransition(() => {
        setSettled(true);
      });
    }, settleDelayMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isSettled]);
  return isSettled;
}
