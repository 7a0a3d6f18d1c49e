import { limits } from '#contract/limits.ts';
import type { Recording } from '#contract/recordings.ts';
import { readJson, writeText } from '#web/site-data/text-store.ts';

/** What this device remembers of the person signed in last. */
export interface LastUser { id: string; displayName: string }

interface SessionSpan { authTime: string; absoluteExpiresAt: string }

const userKey = 'earshot.last-user';
const listKey = 'earshot.last-list';
/** What a few screens show; 100 rows are about 60 kB. */
const mostRecordings = 100;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function storedUser(): (LastUser & { untilMs: number }) | null {
  const stored = readJson('localStorage', userKey);
  if (!isObject(stored)) return null;
  const { id, displayName, untilMs } = stored;
  return typeof id === 'string' && typeof displayName === 'string' && typeof untilMs === 'number' ? { id, displayName, untilMs } : null;
}

/** Whether the session is one of a shared computer: such a session leaves nothing on the device. */
const isShared = ({ authTime, absoluteExpiresAt }: SessionSpan): boolean => Date.parse(absoluteExpiresAt) - Date.parse(authTime) <= limits.session.sharedAbsoluteMs;

/** Forgets the person signed in last and their list. */
export function forgetLastUser(): void {
  writeText('localStorage', userKey, null);
  writeText('localStorage', listKey, null);
}

/** Remembers who is signed in, for visits without a connection; nothing of the person before stays. */
export function rememberUser({ id, displayName }: LastUser, session: SessionSpan): void {
  const before = storedUser();
  if (isShared(session) || (before !== null && before.id !== id)) forgetLastUser();
  if (!isShared(session)) writeText('localStorage', userKey, JSON.stringify({ id, displayName, untilMs: Date.parse(session.absoluteExpiresAt) }));
}

/** The person signed in last on this device; null after a sign-out, on a shared computer, once the session can't last any longer, and where the browser refuses its store. */
export function lastUser(): LastUser | null {
  const stored = storedUser();
  return stored === null || stored.untilMs <= Date.now() ? null : { id: stored.id, displayName: stored.displayName };
}

/** Remembers the newest recordings of the person signed in, without what only the server can show. */
export function rememberList(userId: string, recordings: readonly Recording[]): void {
  if (lastUser()?.id !== userId) return;
  const newest = recordings.slice(0, mostRecordings).map((recording) => ({ ...recording, overview: null }));
  writeText('localStorage', listKey, JSON.stringify({ userId, recordings: newest }));
}

const isListed = (value: unknown): value is Recording =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['title'] === 'string' && typeof value['durationMs'] === 'number' && isObject(value['recordedTime']) && Array.isArray(value['people']) && Array.isArray(value['tagIds']);

/** The list that was shown to this person last; empty where none is remembered. */
export function lastList(userId: string | null): readonly Recording[] {
  const stored = userId === null ? null : readJson('localStorage', listKey);
  if (!isObject(stored) || stored['userId'] !== userId || !Array.isArray(stored['recordings'])) return [];
  return stored['recordings'].filter(isListed);
}
