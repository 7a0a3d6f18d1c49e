import { createStore, type Store } from '#base/store.ts';
import { takeEarlyAnswer } from './early-answers.ts';

/** Whether the server answered when it was last asked. */
export type Connection = 'untried' | 'there' | 'gone';

const store = createStore<Connection>('untried');

/** What a proxy says of a server behind it that it cannot reach, and a server that is just leaving (RFC 9110 §15.6). */
const isAway = (status: number): boolean => status >= 502 && status <= 504;

export const connection: Store<Connection> = store;

/** `fetch` that remembers whether an answer came, or the answer to what was asked already; an abort says nothing about that. */
export async function noticingFetch(url: string, init?: RequestInit): Promise<Response> {
  try {
    const response = await (takeEarlyAnswer(url, init) ?? fetch(url, init));
    store.set(isAway(response.status) ? 'gone' : 'there');
    return response;
  } catch (error) {
    // fetch speaks of every network failure as a bare TypeError.
    if (error instanceof TypeError) store.set('gone');
    throw error;
  }
}
