import { useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { rowIndexOf } from '#web/ui/lists/row-index.ts';

interface RowFocusFacts {
  list: RefObject<HTMLElement | null>;
  ids: readonly string[];
  count: number;
}

export interface RowFocus {
  /** The place of the row that Tab stops at. */
  active: number;
  /** Gives the focus to a row, as soon as it is in the page. */
  moveTo: (index: number) => void;
  handlers: { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void };
}

/**
 * One tab stop for a list of many rows: it follows its row when others come and go, and takes the next one's
 * place when its row goes.
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
    // A row that is still on its way gets the focus again when it is there.
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
        // What was taken out of the page with its row has lost the focus; what is still there has given it
        // away.
        queueMicrotask(() => {
          if (target.isConnected && last.current === target) last.current = null;
        });
      },
    },
  };
}
