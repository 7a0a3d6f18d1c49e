import { BackOff } from '#base/back-off.ts';

/** Waits; resolves early when the network comes back or the signal aborts. Never rejects. */
export function waitForRetry(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      globalThis.window?.removeEventListener('online', end);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    globalThis.window?.addEventListener('online', end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}

/**
 * Repeats an attempt until it succeeds, with waits that grow (base/back-off.ts).
 * @param shouldRetry returns whether another attempt may succeed and its result is still needed
 * @throws the error of an attempt that is not repeated
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  shouldRetry: (error: unknown) => boolean,
): Promise<Result> {
  const backOff = new BackOff();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!shouldRetry(error)) throw error;
    }
    await waitForRetry(backOff.nextMs());
  }
}
