import { keepLocalOverviews } from '#web/features/library/local-overviews.ts';
import { localTakePeaks } from '#web/features/recording/local-takes.ts';

/** The thumbnails of the takes on this device, kept while the page lives. */
export const localOverviews = keepLocalOverviews(localTakePeaks);
