import { useMemo, useSyncExternalStore } from 'react';
import { sessionState } from './session-state.ts';
import { cutOff } from '#web/api/connection/cut-off.ts';
import { lastUser, type LastUser, forgetLastUser } from './last-user.ts';
import { setViewer } from '#device/takes/viewer.ts';
import { cookieValue, userCookieName } from '#device/site-data/cookie.ts';

export interface Viewer {
  user: LastUser | null;
  /** The server has said so; else it is the person signed in last on this device. */
  isConfirmed: boolean;
}

/**
 * For whom the screens are: the person signed in, or, while no server says who is, the one signed in last on
 * this device.
 */
export function useViewer(): Viewer {
  const { status, user } = useSyncExternalStore(
    sessionState.subscribe,
    sessionState.getSnapshot,
    sessionState.getSnapshot,
  );
  const isCutOff = useSyncExternalStore(cutOff.subscribe, cutOff.getSnapshot, cutOff.getSnapshot);
  return useMemo(() => {
    if (status !== 'unknown') return { user, isConfirmed: true };
    return { user: isCutOff ? lastUser() : null, isConfirmed: false };
  }, [status, user, isCutOff]);
}

export const useViewerId = (): string | null => useViewer().user?.id ?? null;

const ownName = (name: string): string => userCookieName(name, globalThis.location?.port ?? '');
const cookie = 'last-person';
/**
 * Says that somebody is signed in, and not who: what the next page may ask early (early-requests.ts). Lasts
 * as a session may.
 */
const signedIn = 'signed-in';
const yearS = 365 * 86_400;
const secure = () => (globalThis.location?.protocol === 'https:' ? '; Secure' : '');

function write(name: string, value: string, maxAgeS?: number): void {
  document.cookie = `${ownName(name)}=${value}; Path=/; ${maxAgeS === undefined ? '' : `Max-Age=${maxAgeS}; `}SameSite=Strict${secure()}`;
}

/**
 * Remembers who was signed in last until the browser is closed or the person signs out; all tabs see the
 * same.
 */
export function rememberUsers(): void {
  sessionState.subscribe(() => {
    const { status, user } = sessionState.getSnapshot();
    if (status === 'signed-in') {
      write(cookie, user.id);
      write(signedIn, '1', yearS);
    } else if (status === 'signed-out') {
      for (const name of [cookie, signedIn]) write(name, '', 0);
      forgetLastUser();
    }
  });
  const followViewer = () => {
    setViewer(viewerId());
  };
  sessionState.subscribe(followViewer);
  onViewerChange(followViewer);
  followViewer();
}

/** Calls back when `viewerId` may be another one without a change of the session. @returns ends that */
export const onViewerChange = (listener: () => void): (() => void) => cutOff.subscribe(listener);

/**
 * The id of the person whose takes may be shown here: the one signed in; while no server says who that is,
 * the one signed in last; else null.
 */
export function viewerId(): string | null {
  const { status, user } = sessionState.getSnapshot();
  if (status !== 'unknown') return user?.id ?? null;
  if (!cutOff.getSnapshot()) return null;
  const id = cookieValue(document.cookie, ownName(cookie));
  return id !== null && /^[\w-]+$/.test(id) ? id : (lastUser()?.id ?? null);
}
