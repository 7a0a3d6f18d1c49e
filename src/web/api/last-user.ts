import { limits } from '#contract/limits.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';

/** What this device stores of the user who was signed in last. */
export interface LastUser {
  id: string;
  displayName: string;
}

interface SessionSpan {
  authTime: string;
  absoluteExpiresAt: string;
}

const userKey = 'earshot.last-user';
export const lastListKey = 'earshot.last-list';

function storedUser(): (LastUser & { untilMs: number }) | null {
  const stored = readJson('localStorage', userKey);
  if (!isRecord(stored)) return null;
  const { id, displayName, untilMs } = stored;
  return typeof id === 'string' && typeof displayName === 'string' && typeof untilMs === 'number'
    ? { id, displayName, untilMs }
    : null;
}

/** Whether the session is one of a shared computer. Such a session leaves nothing on the device. */
const isShared = ({ authTime, absoluteExpiresAt }: SessionSpan): boolean =>
  Date.parse(absoluteExpiresAt) - Date.parse(authTime) <= limits.session.sharedAbsoluteMs;

/** Forgets the last user and their list. */
export function forgetLastUser(): void {
  writeText('localStorage', userKey, null);
  writeText('localStorage', lastListKey, null);
}

/** Stores who is signed in, for visits without a connection. Deletes everything of a different user before. */
export function rememberUser({ id, displayName }: LastUser, session: SessionSpan): void {
  const before = storedUser();
  if (isShared(session) || (before !== null && before.id !== id)) forgetLastUser();
  if (!isShared(session))
    writeText(
      'localStorage',
      userKey,
      JSON.stringify({ id, displayName, untilMs: Date.parse(session.absoluteExpiresAt) }),
    );
}

/**
 * The user signed in last on this device. Null after a sign-out, on a shared computer, once the session can't last
 * any longer, and if storage is unavailable.
 */
export function lastUser(): LastUser | null {
  const stored = storedUser();
  return stored === null || stored.untilMs <= Date.now()
    ? null
    : { id: stored.id, displayName: stored.displayName };
}
