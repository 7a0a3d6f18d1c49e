import { second } from '#base/duration.ts';

const longestMs = 5 * second;

/** Resolves when the page has nothing to do; after five seconds at the latest. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function')
      requestIdleCallback(
        () => {
          resolve();
        },
        { timeout: longestMs },
      );
    else setTimeout(resolve, second);
  });
