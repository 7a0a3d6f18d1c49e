import { createLocalOverviews } from '#web/features/library/list/local-overviews.ts';

/** The thumbnails of the takes on this device, cached as long as the page lives. */
export const localOverviews = createLocalOverviews(async (takeId) =>
  (await import('#device/takes/take-audio.ts')).localTakePeaks(takeId),
);
