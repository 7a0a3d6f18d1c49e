import { withResponseTimeout } from './response-timeout.ts';

/** Requests made before the app had loaded, by URL. */
const requests = new Map<string, Promise<Response>>();
/** Unused responses expire, so that stale data is never served. */
const expiryMs = 10_000;

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
    requests.set(address, answer);
    const drop = () => {
      requests.delete(address);
    };
    // A failed request is sent again by the code that needs it. An error response is dropped because it may be out
    // of date after a sign-in.
    answer.then(({ ok }) => {
      if (!ok) drop();
    }, drop);
    setTimeout(drop, expiryMs);
  }
}

/** Drops the responses that were not claimed. */
export const forgetEarlyResponses = (): void => requests.clear();

/**
 * A copy of an early response, read before the app claims it; null if the URL was not requested early or the
 * request failed.
 */
export async function peekEarlyResponse(address: string): Promise<Response | null> {
  return (
    requests.get(address)?.then(
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
  const answer = requests.get(address);
  if (answer === undefined || (init?.method ?? 'GET') !== 'GET') return null;
  requests.delete(address);
  return answer;
}
