import { useMemo, useRef } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { Tag } from '#contract/library-api.ts';
import type { Span } from '#web/api/queries/use-recording-pages.ts';
import { classes } from '#web/ui/classes.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import type { ChosenItems } from '#web/ui/lists/use-selection.ts';
import { useWindowedRows } from '#web/ui/lists/use-windowed-rows.ts';
import type { LocalOverviews } from './local-overviews.ts';
import { compactRows } from './density.ts';
import { LibraryListItem, type RowSharing } from './library-list-item.tsx';
import { useStableActions } from './use-stable-actions.ts';
import { isTrashable, type RowActions } from './row-controls.tsx';
import type { LibraryItem } from './library-items.ts';
import { DayHeading, useDayHeadings } from './day-heading.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useRowPresses } from './use-row-presses.ts';
import styles from './rows.module.css';

const estimatedRowPx = { comfortable: 68, compact: 48 };

export interface RecordingListProps extends Pick<RowSharing, 'SharedSign'> {
  rows: readonly LibraryItem[];
  /** Includes recordings that have not loaded yet. */
  count: number;
  overviews: LocalOverviews;
  tagsById: ReadonlyMap<string, Tag>;
  actions: RowActions;
  /** The search text. */
  search: string;
  selection: ChosenItems;
  onChooseAll: () => void;
  /** Moves the selected recordings to the trash. */
  onMoveToTrash: () => void;
  /** Whether the list is sorted by time, in which case rows have day headings. */
  isByDay: boolean;
  /** Called with the rows near the viewport. */
  onShow: (span: Span) => void;
}

/** A virtualised list. The key remounts it when the density changes, because measured row heights depend on it. */
export function RecordingList(props: RecordingListProps) {
  const isCompact = useStore(compactRows);
  return <Rows key={String(isCompact)} {...props} isCompact={isCompact} />;
}

function Rows({
  rows,
  count,
  overviews,
  tagsById,
  actions,
  SharedSign,
  search,
  selection,
  onChooseAll,
  onMoveToTrash,
  onShow,
  isByDay,
  isCompact,
}: RecordingListProps & { isCompact: boolean }) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const rowPx = isCompact ? estimatedRowPx.compact : estimatedRowPx.comfortable;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const focus = useRowFocus({ list, ids, count });
  const windowed = useWindowedRows({ list, ids, count, rowPx, retainedIndex: focus.active, onShow });
  const focusRow = (index: number) => {
    focus.moveTo(index);
    windowed.scrollTo(index);
  };
  const remove = () => {
    const row = rows[focus.active];
    if (selection.isChoosing) onMoveToTrash();
    else if (row && isTrashable(row)) actions.onMoveToTrash(row);
  };
  const handleKey = useListKeys({
    ids,
    count,
    active: focus.active,
    rowPx,
    selection,
    onChooseAll,
    onRemove: remove,
    onMove: focusRow,
  });
  const stable = useStableActions({ actions, toggle: selection.toggle });
  const presses = useRowPresses({ ids, selection, onReach: focus.moveTo });
  const headingOf = useDayHeadings(rows, isByDay);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links and checkboxes of the rows are the interactive elements
    <ul
      ref={list}
      aria-label={t`Recordings`}
      onKeyDown={handleKey}
      {...focus.handlers}
      {...presses}
      className={classes(
        styles.rows,
        styles.list,
        isCompact && styles.compact,
        selection.isChoosing && styles.choosing,
      )}
      style={windowed.style}
    >
      {windowed.rows.map(({ index, key, style }) => {
        const row = rows[index];
        const isTabStop = index === focus.active;
        const isChosen = row !== undefined && selection.chosen.has(row.id);
        return (
          <li
            key={key}
            ref={windowed.measure}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className={styles.item}
            style={style}
          >
            <DayHeading text={headingOf(index)} />
            <LibraryListItem
              row={row}
              overviews={overviews}
              tagsById={tagsById}
              actions={stable.actions}
              SharedSign={SharedSign}
              search={search}
              isTabStop={isTabStop}
              isChosen={isChosen}
              isMoving={windowed.isMoving}
              onToggle={stable.toggle}
            />
          </li>
        );
      })}
    </ul>
  );
}
