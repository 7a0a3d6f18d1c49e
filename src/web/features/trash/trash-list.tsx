import { useMemo, useRef, useState, type FocusEvent } from 'react';
import { useLingui } from '@lingui/react/macro';
import type { ChosenItems } from '#web/ui/lists/use-selection.ts';
import { VisuallyHidden } from '#web/ui/text/visually-hidden.tsx';
import { rowIndexOf } from '#web/ui/lists/row-index.ts';
import { useWindowedRows } from '#web/ui/lists/use-windowed-rows.ts';
import { TrashListItem } from './trash-list-item.tsx';
import type { TrashPlayback } from './trash-play.tsx';
import type { Trashed } from './use-trash.ts';
import styles from './trash.module.css';

const estimatedRowPx = 69;

export interface TrashListProps {
  items: readonly Trashed[];
  /** Includes those that are not loaded yet. */
  count: number;
  selection: ChosenItems;
  playback: TrashPlayback;
  onRestore: (item: Trashed) => void;
  onDelete: (item: Trashed) => void;
  /** Reports which rows are near the window. */
  onShow: (span: { from: number; to: number }) => void;
}

/** The trash, however large. Only the rows near the window are in the DOM. */
export function TrashList({
  items,
  count,
  selection,
  playback,
  onRestore,
  onDelete,
  onShow,
}: TrashListProps) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const [nowMs] = useState(() => Date.now());
  const [focused, setFocused] = useState({ id: '', index: 0 });
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const found = ids.indexOf(focused.id);
  // If the focused row is gone, the next row at its index can take the focus.
  const windowed = useWindowedRows({
    list,
    ids,
    count,
    rowPx: estimatedRowPx,
    retainedIndex: found === -1 ? focused.index : found,
    onShow,
  });
  const handleFocus = ({ target }: FocusEvent) => {
    const index = rowIndexOf(target);
    if (index !== -1) setFocused({ id: ids[index] ?? '', index });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only notes which row has the focus, so that it stays in the page
    <ul
      ref={list}
      aria-label={t`Recordings`}
      onFocus={handleFocus}
      className={styles.list}
      style={windowed.style}
    >
      {windowed.rows.map(({ index, key, style }) => {
        const item = items[index];
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
            {item ? (
              <TrashListItem
                item={item}
                nowMs={nowMs}
                isChosen={selection.chosen.has(item.id)}
                playback={playback}
                onToggle={() => selection.toggle(item.id)}
                onRestore={() => onRestore(item)}
                onDelete={() => onDelete(item)}
              />
            ) : (
              <div className={styles.waiting}>
                <VisuallyHidden>{t`Loading recordings…`}</VisuallyHidden>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
