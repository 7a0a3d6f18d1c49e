import { connection } from './connection.ts';
import { sessionState } from '../session-state.ts';

const cookie = 'last-person';
const secure = () => (globalThis.location?.protocol === 'https:' ? '; Secure' : '');

/** Remembers who was signed in last until the browser is closed or the person signs out; all tabs see the same. */
export function rememberPersons(): void {
  sessionState.subscribe(() => {
    const { status, user } = sessionState.getSnapshot();
    if (status === 'signed-in') document.cookie = `${cookie}=${user.id}; Path=/; SameSite=Strict${secure()}`;
    else if (status === 'signed-out') document.cookie = `${cookie}=; Path=/; Max-Age=0; SameSite=Strict${secure()}`;
  });
}

/**
 * The id of whose takes may be shown here: the person signed in; while no server can be asked, the one signed in last since
 * the browser was opened; else null.
 */
export function viewerId(): string | null {
  const { status, user } = sessionState.getSnapshot();
  if (status !== 'unknown') return user?.id ?? null;
  if (connection.getSnapshot() !== 'gone') return null;
  return /(?:^|; )last-person=([\w-]+)/.exec(document.cookie)?.[1] ?? null;
}
