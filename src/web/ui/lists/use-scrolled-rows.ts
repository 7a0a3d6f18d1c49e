import { useCallback, useReducer, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { RowProperties } from './use-windowed-rows.ts';

const overscannedRows = 8;
/** Shorter lists are in the DOM as a whole, so that the browser's own search finds every row. */
const maxWholeRows = 200;

interface ScrolledRowsFacts {
  /** The element that scrolls. */
  list: RefObject<HTMLElement | null>;
  /** The ids of the rows, in their order. */
  ids: readonly string[];
  /** The height of a row before it is measured. */
  rowPx: number;
  /** Whether a row stays in the DOM however far it is scrolled away, as while it is edited. */
  isRetained: (id: string) => boolean;
}

interface ScrolledRow {
  index: number;
  /** The place of a row of a long list. */
  style?: RowProperties;
}

export interface ScrolledRows {
  /** Whether only some of the rows are in the DOM. They need the styles of `rows` and `style` then. */
  isWindowed: boolean;
  /** The rows in the DOM. */
  rows: readonly ScrolledRow[];
  /** A ref for the element of a row, which has its index as `data-index`. */
  measure: (element: Element | null) => void;
  /** For the element of the list. */
  style: RowProperties;
  /** Scrolls a row into the list, never the page. */
  scrollTo: (index: number) => void;
  /** The element of a row, which is rendered now if it was not; null beyond the ends. */
  elementOf: (index: number) => Element | null;
}

/**
 * Any number of rows in a list that scrolls itself. Of a long list only those in sight and the retained are in the
 * DOM.
 */
export function useScrolledRows({ list, ids, rowPx, isRetained }: ScrolledRowsFacts): ScrolledRows {
  const isWindowed = ids.length > maxWholeRows;
  const wanted = useRef<string | null>(null);
  const [, render] = useReducer((count: number) => count + 1, 0);
  // oxlint-disable-next-line react/incompatible-library -- a warning to the React Compiler, which this project does not use
  const virtual = useVirtualizer({
    enabled: isWindowed,
    count: ids.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowPx,
    overscan: overscannedRows,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    rangeExtractor: (range) => {
      const retained = ids.flatMap((id, index) => (id === wanted.current || isRetained(id) ? [index] : []));
      return [...new Set([...defaultRangeExtractor(range), ...retained])].toSorted((a, b) => a - b);
    },
  });
  const find = (index: number): Element | null =>
    list.current?.querySelector(`[data-index="${index}"]`) ?? null;
  return {
    isWindowed,
    rows: isWindowed
      ? virtual.getVirtualItems().map(({ index, start }) => ({ index, style: { '--y': `${start}px` } }))
      : ids.map((_, index) => ({ index })),
    measure: virtual.measureElement,
    style: isWindowed ? { '--list-height': `${virtual.getTotalSize()}px` } : {},
    scrollTo(index) {
      const [element, row] = [list.current, find(index)];
      if (isWindowed) virtual.scrollToIndex(index, { align: 'center' });
      else if (element && row) {
        const [outer, inner] = [element.getBoundingClientRect(), row.getBoundingClientRect()];
        element.scrollTop += inner.top - outer.top - outer.height / 3;
      }
    },
    elementOf(index) {
      const id = ids[index];
      if (id === undefined) return null;
      if (isWindowed) {
        wanted.current = id;
        flushSync(render);
      }
      return find(index);
    },
  };
}
