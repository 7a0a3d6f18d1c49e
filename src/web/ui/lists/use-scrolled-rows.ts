import { useCallback, useReducer, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { RowProperties } from './use-windowed-rows.ts';
import styles from './scrolled-rows.module.css';

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
  /** The class of the list, whose rows are `li` elements: set if only some of them are in the DOM. */
  className: string | undefined;
  /** The rows in the DOM. */
  rows: readonly ScrolledRow[];
  /** A ref for the element of a row, which has its index as `data-index`; absent if rows are not measured. */
  measure: ((element: Element | null) => void) | undefined;
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
    className: isWindowed ? styles.windowed : undefined,
    rows: isWindowed
      ? virtual.getVirtualItems().map(({ index, start }) => ({ index, style: { '--y': `${start}px` } }))
      : ids.map((_, index) => ({ index })),
    measure: isWindowed ? virtual.measureElement : undefined,
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
