import { withResponseTimeout } from './response-timeout.ts';

/** Requests made before the app had loaded, by URL. */
const asked = new Map<string, Promise<Response>>();
/** Unused responses expire, so that stale data is never served. */
const keptMs = 10_000;

/** Sends the first requests of the app while its code is still loading. */
export function fetchEarly(addresses: readonly string[]): void {
  for (const address of addresses) {
    const answer = withResponseTimeout((signal) =>
      fetch(address, {
        redirect: 'manual',
        headers: { accept: 'application/json', 'x-requested-with': 'earshot' },
        signal,
      }),
    );
    asked.set(address, answer);
    const forget = () => {
      asked.delete(address);
    };
    // A failed request is sent again by the code that needs it. An error response is dropped because it may be out
    // of date after a sign-in.
    answer.then(({ ok }) => {
      if (!ok) forget();
    }, forget);
    setTimeout(forget, keptMs);
  }
}

/** Drops the responses that were not claimed. */
export const forgetEarlyResponses = (): void => asked.clear();

/**
 * A copy of an early response, read before the app claims it; null if the URL was not requested early or the
 * request failed.
 */
export async function peekEarlyResponse(address: string): Promise<Response | null> {
  return (
    asked.get(address)?.then(
      (answer) => answer.clone(),
      () => null,
    ) ?? null
  );
}

/**
 * The early response to this request. It is returned once; null afterwards, and for requests that change
 * something.
 */
export function claimEarlyResponse(address: string, init?: RequestInit): Promise<Response> | null {
  const answer = asked.get(address);
  if (answer === undefined || (init?.method ?? 'GET') !== 'GET') return null;
  asked.delete(address);
  return answer;
}
