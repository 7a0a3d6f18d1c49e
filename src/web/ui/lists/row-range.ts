import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';

/**
 * Makes what says which rows are in the page: those in the window and some around them, so that a wheel meets
 * no empty place. Where the window leaps further than it is high, as under a dragged bar, nothing around it
 * will be met: the rows in it come alone, and quicker. Asked again at the same place, as when the scrolling
 * has ended, it names those around them too.
 */
export function makeRowRange(): (range: Range) => number[] {
  let before = 0;
  return (range) => {
    const hasLeapt = Math.abs(range.startIndex - before) > range.endIndex - range.startIndex;
    before = range.startIndex;
    return defaultRangeExtractor(hasLeapt ? { ...range, overscan: 0 } : range);
  };
}
