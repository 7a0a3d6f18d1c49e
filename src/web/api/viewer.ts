import { useMemo, useSyncExternalStore } from 'react';
import { sessionState } from './session-state.ts';
import { cutOff } from '#web/api/connection/cut-off.ts';
import { lastUser, type LastUser, forgetLastUser } from './last-user.ts';
import { setTabOwner, setViewer } from '#device/takes/viewer.ts';
import { userScope } from './user-scope.ts';
import { cookieValue, userCookieName } from '#device/site-data/cookie.ts';

export interface Viewer {
  user: LastUser | null;
  /** The server confirmed it; otherwise it is the user signed in last on this device. */
  isConfirmed: boolean;
}

/**
 * The user that the screens are for: the signed-in one or, while the session is unknown, the last one on this
 * device.
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
const cookie = 'last-user';
/** Its name in earlier builds. */
const earlierCookie = 'last-person';
/**
 * Says that a user is signed in, but not who: it decides the early requests of the next page (early-requests.ts).
 * Lasts a year.
 */
const signedIn = 'signed-in';
const yearS = 365 * 86_400;
const secure = () => (globalThis.location?.protocol === 'https:' ? '; Secure' : '');

function write(name: string, value: string, maxAgeS?: number): void {
  document.cookie = `${ownName(name)}=${value}; Path=/; ${maxAgeS === undefined ? '' : `Max-Age=${maxAgeS}; `}SameSite=Strict${secure()}`;
}

/** Stores who was signed in last, until the browser is closed or the user signs out. All tabs share it. */
export function rememberUsers(): void {
  sessionState.subscribe(() => {
    const { status, user } = sessionState.getSnapshot();
    if (status === 'signed-in') {
      write(cookie, user.id);
      write(signedIn, '1', yearS);
    } else if (status === 'signed-out') {
      for (const name of [cookie, earlierCookie, signedIn]) write(name, '', 0);
      forgetLastUser();
    }
  });
}

/** Keeps the viewer of device/takes the same as `viewerId`, and opens the user scope for an unconfirmed viewer. */
export function followViewer(): void {
  const update = () => {
    const userId = viewerId();
    setViewer(userId);
    // Until the server says who is signed in, the screens may show the last user's data of this device.
    if (userId !== null) userScope.follow(userId, false);
  };
  sessionState.subscribe(update);
  onViewerChange(update);
  update();
}

/**
 * Calls back when `viewerId` may change without a change of the session.
 * @returns unsubscribes
 */
export const onViewerChange = (listener: () => void): (() => void) => cutOff.subscribe(listener);

/**
 * The id of the user whose takes may be shown here: the signed-in one; while the session is unknown and the server
 * unreachable, the last one; else null.
 */
export function viewerId(): string | null {
  const { status, user } = sessionState.getSnapshot();
  if (status !== 'unknown') return user?.id ?? null;
  if (!cutOff.getSnapshot()) return null;
  const id = cookieValue(document.cookie, ownName(cookie));
  return id !== null && /^[\w-]+$/.test(id) ? id : (lastUser()?.id ?? null);
}

/**
 * Follows who is at this tab: the signed-in user and, after a session that ended elsewhere, still that user, until
 * `leaveTab` or the sign-in of another user. Call once per page.
 */
export function followTabOwner(): void {
  const update = () => {
    const { user, isLeaving } = sessionState.getSnapshot();
    if (user === null || isLeaving) return;
    setTabOwner(user.id);
  };
  sessionState.subscribe(update);
  update();
}

/** The user has signed out in this browser. */
export const leaveTab = (): void => setTabOwner(null);

/** After a session that ended elsewhere: the person at this tab is not the user of that session. */
export function denyTabOwner(): void {
  leaveTab();
  userScope.follow(null, true);
}
