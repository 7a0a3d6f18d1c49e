import { noticingFetch } from './connection.ts';
import { principalOf, sessionState } from '#web/api/session-state.ts';

/**
 * A request that nobody waits for: it is not held, and a lost session asks for nothing. Gives whatever answer
 * comes.
 */
export function quietRequest(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const principal = principalOf(sessionState.getSnapshot());
  const sent = new Headers(headers);
  sent.set('x-requested-with', 'earshot');
  if (principal !== null) sent.set('x-expected-principal', principal);
  return noticingFetch(path, { ...init, headers: sent });
}
