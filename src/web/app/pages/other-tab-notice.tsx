import { loadTakeParts } from '#web/features/recorder/lazy-parts.tsx';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';

/** What another tab of this browser records, for the pages that list recordings. */
export const LazyOtherTabNotice = backgroundChunk(loadTakeParts).component((chunk) => chunk.OtherTabNotice);
