import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';
import { userScope } from '#web/api/user-scope.ts';

const key = 'earshot.pending-sign-out';

/** When the user of this page's session signed in; null until the server has said so. */
const authTime = userScope.createStore<string | null>(null);

/** Takes over when the user of the session signed in. */
export const noteAuthTime = (session: { authTime: string } | null): void =>
  authTime.set(session?.authTime ?? null);

/** A sign-out that the server does not know yet. All tabs share it, and it outlives the page. */
interface PendingSignOut {
  userId: string;
  /** Of the session that ends; null if it was not known: then any session of that user is ended. */
  authTime: string | null;
}

function stored(): PendingSignOut | null {
  const value = readJson('localStorage', key);
  if (!isRecord(value) || typeof value.userId !== 'string') return null;
  return { userId: value.userId, authTime: typeof value.authTime === 'string' ? value.authTime : null };
}

/**
 * Stores that the session of a user ends as soon as the server can be reached.
 * @returns false if the browser blocks storage: then it can't be promised
 */
export const storeSignOut = (userId: string): boolean =>
  writeText('localStorage', key, JSON.stringify({ userId, authTime: authTime.getSnapshot() }));

/** Forgets the sign-out: the server has ended the session, or has rejected that. */
export function forgetSignOut(): void {
  if (stored() !== null) writeText('localStorage', key, null);
}

export const isSignOutPending = (): boolean => stored() !== null;

/**
 * Whether a session that the server still has is the one that was to end. A later sign-in, also of the same user, is
 * not.
 */
export function isSignedOutHere(userId: string, session: { authTime: string } | null): boolean {
  const pending = stored();
  if (pending?.userId !== userId) return false;
  return (
    pending.authTime === null ||
    session === null ||
    Date.parse(session.authTime) <= Date.parse(pending.authTime)
  );
}
