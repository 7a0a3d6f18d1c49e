import { withResponseTimeout } from './response-timeout.ts';

/** What was asked before the program was there to ask it, by address. */
const asked = new Map<string, Promise<Response>>();
/** Unused responses expire, so that stale data is never served. */
const keptMs = 10_000;

/**
 * Asks the server, as the page's first step, what its program will want to know: the answer is on its way
 * while the program is.
 */
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
    // Whoever wants it asks again; nobody may want it. A refusal is of a moment: who signs in right after it
    // must not be told the same.
    answer.then(({ ok }) => {
      if (!ok) forget();
    }, forget);
    setTimeout(forget, keptMs);
  }
}

/** Forgets the responses that nobody claimed. */
export const forgetEarlyResponses = (): void => asked.clear();

/**
 * A copy of an answer that was asked for early, for who looks at it before the program takes it; null where
 * it was not asked for, or never came.
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
 * The answer that was asked for early, to whoever asks first; null for all after, and for what changes
 * something.
 */
export function claimEarlyResponse(address: string, init?: RequestInit): Promise<Response> | null {
  const answer = asked.get(address);
  if (answer === undefined || (init?.method ?? 'GET') !== 'GET') return null;
  asked.delete(address);
  return answer;
}
