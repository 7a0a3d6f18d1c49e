import { createLocalOverviews } from '#web/features/library/list/local-overviews.ts';

/** The thumbnails of the takes on this device, kept while the page lives. */
export const localOverviews = createLocalOverviews(async (takeId) =>
  (await import('#device/takes/take-audio.ts')).localTakePeaks(takeId),
);
