import { second } from '#base/duration.ts';

/** In a page, an `import()` has retried for seconds by the time it fails (src/web/app/prerender/load-chunk.ts). */
const pauseMs = 30 * second;

/**
 * Loads code that belongs to the page, and repeats that every 30 seconds until it has loaded. It never rejects.
 * If the user has asked for the code and waits, show the failure instead.
 */
export async function loadInBackground<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;)
    try {
      return await load();
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
}
