import { connection, isUnreachable } from './connection.ts';
import { cookieValue, personCookieName } from '#web/site-data/cookie.ts';
import { sessionState } from '../session-state.ts';

const ownName = (name: string): string => personCookieName(name, globalThis.location?.port ?? '');
const cookie = 'last-person';
/** Says that somebody is signed in, and not who: what the next page may ask early (early-questions.ts). Lasts as a session may. */
const signedIn = 'signed-in';
const yearS = 365 * 86_400;
const secure = () => (globalThis.location?.protocol === 'https:' ? '; Secure' : '');

function write(name: string, value: string, maxAgeS?: number): void {
  document.cookie = `${ownName(name)}=${value}; Path=/; ${maxAgeS === undefined ? '' : `Max-Age=${maxAgeS}; `}SameSite=Strict${secure()}`;
}

/** Remembers who was signed in last until the browser is closed or the person signs out; all tabs see the same. */
export function rememberPersons(): void {
  sessionState.subscribe(() => {
    const { status, user } = sessionState.getSnapshot();
    if (status === 'signed-in') {
      write(cookie, user.id);
      write(signedIn, '1', yearS);
    } else if (status === 'signed-out') for (const name of [cookie, signedIn]) write(name, '', 0);
  });
}

/**
 * The id of whose takes may be shown here: the person signed in; while no server can be asked, the one signed in last since
 * the browser was opened; else null.
 */
export function viewerId(): string | null {
  const { status, user } = sessionState.getSnapshot();
  if (status !== 'unknown') return user?.id ?? null;
  if (!isUnreachable(connection.getSnapshot())) return null;
  const id = cookieValue(document.cookie, ownName(cookie));
  return id !== null && /^[\w-]+$/.test(id) ? id : null;
}
