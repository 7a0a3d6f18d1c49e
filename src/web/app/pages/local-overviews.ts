import { userScope } from '#web/api/user-scope.ts';
import { createLocalOverviews, type LocalOverviews } from '#web/features/library/list/local-overviews.ts';

const createCache = (): LocalOverviews =>
  createLocalOverviews(async (takeId) =>
    (await import('#device/takes/take-audio.ts')).localTakePeaks(takeId),
  );

let cached = createCache();
userScope.onSessionEnd(() => {
  cached = createCache();
});

/** The thumbnails of the takes on this device, cached until the session ends. */
export const localOverviews: LocalOverviews = (take) => cached(take);
