import { useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { rowIndexOf } from '#web/ui/lists/row-index.ts';

interface RowFocusFacts {
  list: RefObject<HTMLElement | null>;
  ids: readonly string[];
  count: number;
}

export interface RowFocus {
  /** Index of the row that is the tab stop. */
  active: number;
  /** Focuses a row as soon as it is rendered. */
  moveTo: (index: number) => void;
  handlers: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
}

/**
 * A roving tab stop. It follows its row when others are added or removed, and moves to the next row when its row
 * is removed.
 */
export function useRowFocus({ list, ids, count }: RowFocusFacts): RowFocus {
  const [row, setRow] = useState<{ id: string | null; index: number }>({ id: null, index: 0 });
  const found = row.id === null || ids[row.index] === row.id ? -1 : ids.indexOf(row.id);
  const active = Math.max(0, Math.min(found === -1 ? row.index : found, count - 1));
  const isWanted = useRef(false);
  const last = useRef<Element | null>(null);

  useLayoutEffect(() => {
    const isLost =
      last.current !== null && !last.current.isConnected && document.activeElement === document.body;
    if (!isWanted.current && !isLost) return;
    const item = list.current?.querySelector(`[data-index="${active}"]`);
    const target = item?.querySelector<HTMLElement>('a[href], [data-waiting]');
    if (target && target !== document.activeElement) target.focus({ preventScroll: true });
    // A row that is still loading is focused again once it has loaded.
    if (ids[active] !== undefined) isWanted.current = false;
  });

  return {
    active,
    moveTo: (index) => {
      isWanted.current = true;
      setRow({ id: ids[index] ?? null, index });
    },
    handlers: {
      onFocus: ({ target, currentTarget }) => {
        if (!currentTarget.contains(target)) return;
        last.current = target;
        const index = rowIndexOf(target);
        if (index !== -1 && index !== active) setRow({ id: ids[index] ?? null, index });
      },
      onBlur: ({ target, relatedTarget }) => {
        if (relatedTarget) isWanted.current = false;
        // An element that is still connected lost the focus to another one. A disconnected one was removed with
        // its row, so its focus must be restored.
        queueMicrotask(() => {
          if (target.isConnected && last.current === target) last.current = null;
        });
      },
    },
  };
}
