import { second } from '#base/duration.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The user has to know about a longer wait. */
const maxQuietWaitMs = 30 * second;
const maxWaits = 5;

/** The wait that the server requests, in milliseconds; null if it requests none or one too long to go unnoticed. */
function waitOf(response: Response): number | null {
  const header = response.headers.get('retry-after') ?? '';
  if (response.status !== 429 || !/^\d{1,4}$/.test(header)) return null;
  const waitMs = Number(header) * second;
  return waitMs <= maxQuietWaitMs ? waitMs : null;
}

const isReplayable = (body: RequestInit['body']): boolean =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Blob;

/** Waits; rejects if the request is aborted. */
function delay(ms: number, signal: AbortSignal | null | undefined, schedule: Schedule): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = schedule(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Runs `action` after `delayMs` unless the returned function is called first. */
type Schedule = (delayMs: number, action: () => void) => () => void;

/**
 * A `fetch` that waits as `Retry-After` of a 429 says and returns the later response. It never waits for sign-in
 * calls: they are limited for minutes, and the user has to know.
 */
export function fetchWithRetryAfter(
  fetch: Fetch,
  { isAuthCall, schedule }: { isAuthCall: (url: string) => boolean; schedule: Schedule },
): Fetch {
  return async (url, init) => {
    for (let waits = 0; ; waits += 1) {
      const response = await fetch(url, init);
      const waitMs =
        waits < maxWaits && !isAuthCall(url) && isReplayable(init.body) ? waitOf(response) : null;
      if (waitMs === null) return response;
      // The body is not read. Not awaited: a body that cannot be cancelled must not delay the retry.
      response.body?.cancel().catch(() => undefined);
      await delay(waitMs, init.signal, schedule);
    }
  };
}
