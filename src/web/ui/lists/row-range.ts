import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';

/**
 * Creates the function that decides which rows are in the DOM: those in the window and some around them, so that
 * scrolling with a wheel shows no gap. If the window jumps by more than its height, as with a dragged scrollbar,
 * the rows around it would not be seen: only those in it are rendered, which is faster. Called again at the same
 * place, as at the end of scrolling, it includes those around it.
 */
export function makeRowRange(): (range: Range) => number[] {
  let before = 0;
  return (range) => {
    const hasLeapt = Math.abs(range.startIndex - before) > range.endIndex - range.startIndex;
    before = range.startIndex;
    return defaultRangeExtractor(hasLeapt ? { ...range, overscan: 0 } : range);
  };
}
