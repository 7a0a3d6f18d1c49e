import { createStore, type Store } from '#base/store.ts';
import { type AnswerSource, sourceOfAnswer } from '#contract/answer-source.ts';
import { ForeignAnswerError } from '#web/api/foreign-answer-error.ts';
import { withResponseTimeout } from './response-timeout.ts';
import { claimEarlyResponse } from './early-responses.ts';

/**
 * Whether the server responded to the last request. `gated`: something in front of it responded instead and wants
 * its own sign-in or blocks the request, such as a reverse proxy, an access gateway or a captive portal.
 */
export type Connection = 'untried' | 'there' | 'gone' | 'gated';

const store = createStore<Connection>('untried');

export const connection: Store<Connection> = store;

/** Whether the server itself cannot be reached, for any reason. */
export const isUnreachable = (state: Connection): boolean => state === 'gone' || state === 'gated';

/**
 * Calls back each time the server becomes reachable again.
 * @returns unsubscribes
 */
export function onReachableAgain(listener: () => void, state: Store<Connection> = store): () => void {
  let before = state.getSnapshot();
  return state.subscribe(() => {
    const now = state.getSnapshot();
    if (isUnreachable(before) && now === 'there') listener();
    before = now;
  });
}

/** A server with this code is about to exit. */
const shutdownCode = 'shutting-down';

const stateAfter = { gate: 'gated', unreachable: 'gone' } as const;

function recordSource(source: AnswerSource): void {
  if (source.from === 'earshot') store.set(source.code === shutdownCode ? 'gone' : 'there');
  // A rejection of one request by a proxy says nothing about the next request.
  else if (source.kind !== 'other') store.set(stateAfter[source.kind]);
}

/**
 * `fetch` that records whether the server responded and uses an early response if there is one. An abort leaves
 * the recorded state unchanged.
 * @throws ForeignAnswerError if something else responded in the server's place; whatever fetch throws
 */
export async function trackedFetch(url: string, init?: RequestInit): Promise<Response> {
  try {
    const send = (signal = init?.signal ?? null): Promise<Response> =>
      fetch(url, { ...init, redirect: 'manual', signal });
    const isRead = (init?.method ?? 'GET') === 'GET';
    const response = await (claimEarlyResponse(url, init) ??
      (isRead ? withResponseTimeout(send, init?.signal) : send()));
    const source = await sourceOfAnswer(response);
    recordSource(source);
    if (source.from === 'elsewhere' && source.kind !== 'other')
      throw new ForeignAnswerError(source.kind, response.status);
    return response;
  } catch (error) {
    // fetch reports every network failure as a plain TypeError.
    if (error instanceof TypeError) store.set('gone');
    throw error;
  }
}
