import { createStore, type Store } from '#base/store.ts';
import { type AnswerSource, sourceOfAnswer, type ForeignAnswer } from '#contract/answer-source.ts';
import { withResponseTimeout } from './response-timeout.ts';
import { claimEarlyResponse } from './early-responses.ts';

/**
 * Whether the server answered when it was last asked. `gated`: something in front of it answered in its
 * place, which wants a sign-in of its own or refuses the request: a reverse proxy, an access gateway, a
 * captive portal.
 */
export type Connection = 'untried' | 'there' | 'gone' | 'gated';

const store = createStore<Connection>('untried');

export const connection: Store<Connection> = store;

/** Whether the server itself cannot be reached, for whatever reason. */
export const isUnreachable = (state: Connection): boolean => state === 'gone' || state === 'gated';

/** Calls back each time the server can be reached again. @returns ends that */
export function onReachableAgain(listener: () => void, state: Store<Connection> = store): () => void {
  let before = state.getSnapshot();
  return state.subscribe(() => {
    const now = state.getSnapshot();
    if (isUnreachable(before) && now === 'there') listener();
    before = now;
  });
}

/** A server that says so is just leaving. */
const leavingCode = 'shutting-down';

const stateAfter = { gate: 'gated', unreachable: 'gone' } as const;

function note(source: AnswerSource): void {
  if (source.from === 'earshot') store.set(source.code === leavingCode ? 'gone' : 'there');
  // What refuses a single request says nothing about the next.
  else if (source.kind !== 'other') store.set(stateAfter[source.kind]);
}

/**
 * `fetch` that remembers whether the server answered, or the answer to what was asked already; an abort says
 * nothing about that.
 * @throws ForeignAnswerError where something else answered in the server's place; whatever fetch throws
 */
export async function trackedFetch(url: string, init?: RequestInit): Promise<Response> {
  try {
    const send = (signal = init?.signal ?? null): Promise<Response> =>
      fetch(url, { ...init, redirect: 'manual', signal });
    const isRead = (init?.method ?? 'GET') === 'GET';
    const response = await (claimEarlyResponse(url, init) ??
      (isRead ? withResponseTimeout(send, init?.signal) : send()));
    const source = await sourceOfAnswer(response);
    note(source);
    if (source.from === 'elsewhere' && source.kind !== 'other')
      throw new ForeignAnswerError(source.kind, response.status);
    return response;
  } catch (error) {
    // fetch speaks of every network failure as a bare TypeError.
    if (error instanceof TypeError) store.set('gone');
    throw error;
  }
}

/**
 * Something between this page and the server answered in the server's place. Its status and body say nothing
 * about what was asked, so no caller sees them.
 */
export class ForeignAnswerError extends Error {
  readonly kind: Exclude<ForeignAnswer, 'other'>;

  constructor(kind: Exclude<ForeignAnswer, 'other'>, status: number) {
    super(`${status}, not of the server`);
    this.name = 'ForeignAnswerError';
    this.kind = kind;
  }
}
