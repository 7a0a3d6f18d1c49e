import { useCallback, useEffect, useState, type CSSProperties, type RefObject } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { makeRowRange } from './row-range.ts';
import { useSteadyScroll } from './use-steady-scroll.ts';
import { useTopPx } from './use-top-px.ts';

const overscannedRows = 5;
/** The parts of the window that are covered: by the header above, and by the bar of a running take below. */
const coveredPx = { top: 72, bottom: 160 };

/** Styles of a row or a list, with custom properties. */
export type RowProperties = CSSProperties & Record<`--${string}`, string>;

interface WindowedRowsFacts {
  list: RefObject<HTMLElement | null>;
  /** The ids of the loaded rows, in their order. */
  ids: readonly string[];
  /** Includes those that are not loaded yet. */
  count: number;
  /** The height of a row before it is measured. */
  rowPx: number;
  /** The index of a row that stays in the DOM however far it is scrolled away, because it may have the focus. */
  retainedIndex: number;
  /** Reports which rows are near the window. */
  onShow: (span: { from: number; to: number }) => void;
}

interface WindowedRow {
  index: number;
  id: string | undefined;
  key: string | number;
  style: RowProperties;
}

export interface WindowedRows {
  /** The rows in the DOM, each in its place. */
  rows: readonly WindowedRow[];
  /** A ref for the element of a row, which has its index as `data-index`. */
  measure: (element: Element | null) => void;
  /** For the element of the list. */
  style: RowProperties;
  scrollTo: (index: number) => void;
  /** Whether the page is being scrolled. Always the same function. */
  isMoving: () => boolean;
}

/** Any number of rows on a page that scrolls as a whole. Only those near the window are in the DOM. */
export function useWindowedRows({
  list,
  ids,
  count,
  rowPx,
  retainedIndex,
  onShow,
}: WindowedRowsFacts): WindowedRows {
  const topPx = useTopPx(list);
  const [rangeOf] = useState(makeRowRange);
  // oxlint-disable-next-line react/incompatible-library -- a warning to the React Compiler, which this project does not use
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: overscannedRows,
    scrollMargin: topPx,
    scrollPaddingStart: coveredPx.top,
    scrollPaddingEnd: coveredPx.bottom,
    getItemKey: (index) => ids[index] ?? index,
    rangeExtractor: (range) =>
      [...new Set([...rangeOf(range), Math.max(0, Math.min(retainedIndex, count - 1))])].toSorted(
        (a, b) => a - b,
      ),
  });
  useSteadyScroll({ virtual, ids });
  useEffect(() => {
    if (virtual.range)
      onShow({
        from: virtual.range.startIndex - overscannedRows,
        to: virtual.range.endIndex + overscannedRows,
      });
  });
  const isMoving = useCallback(() => virtual.isScrolling, [virtual]);
  return {
    rows: virtual.getVirtualItems().map(({ index, key, start }) => ({
      index,
      id: ids[index],
      key: typeof key === 'bigint' ? String(key) : key,
      style: { '--y': `${start - topPx}px` },
    })),
    measure: virtual.measureElement,
    style: { '--list-height': `${virtual.getTotalSize()}px` },
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
    isMoving,
  };
}
