import { newId } from '#device/new-id.ts';
import { isRecord, readJson, storedKeys, writeText } from '#device/site-data/text-store.ts';
import { acquireLock, heldLockNames } from '#device/site-data/web-locks.ts';

const prefix = 'earshot.risk.';
const lockPrefix = 'risk:';
const idOf = (key: string): string => key.slice(prefix.length);

/** The notes of work that this page is doing now. */
const own = new Set<string>();

const forget = (key: string): void => {
  own.delete(key);
  writeText('localStorage', key, null);
};

/** A page that is left or closed did not die, so nothing is to be learned from it. */
const forgetOwn = (): void => {
  for (const key of own) forget(key);
};

/** The ids of the notes whose pages live; none if the browser rejects locks. */
const livingIds = (): Promise<ReadonlySet<string>> => heldLockNames(lockPrefix).catch(() => new Set());

/**
 * Whether a page of this browser, in this version, ended during work of this kind. Forgets the notes of other
 * versions, which may have had the fault that this one has not.
 */
async function hasEndedPage(kind: string): Promise<boolean> {
  const living = await livingIds();
  let isFatal = false;
  for (const key of storedKeys('localStorage', prefix)) {
    const note = readJson('localStorage', key);
    if (own.has(key) || living.has(idOf(key))) continue;
    if (!isRecord(note) || note['browser'] !== navigator.userAgent) writeText('localStorage', key, null);
    else if (note['kind'] === kind) isFatal = true;
  }
  return isFatal;
}

/**
 * Does work that can end the whole page without an error, as a fault in a browser's decoder does. A note is stored
 * before it begins and removed when it succeeds, fails, or its page is left. A note that remains is the trace of a
 * page that died.
 *
 * For code of pages, because workers have no localStorage, which survives its page without waiting.
 * @param kind names the work; one kind that fails does not affect another
 * @returns null if this version of the browser died at this kind of work before, so that it was not done
 */
export async function withRiskNoted<T>(kind: string, work: () => Promise<T>): Promise<T | null> {
  if (await hasEndedPage(kind)) return null;
  const id = newId();
  const key = `${prefix}${id}`;
  // Released by a page that dies. A browser that rejects locks has none.
  const release = await acquireLock(`${lockPrefix}${id}`).catch(() => null);
  if (own.size === 0) globalThis.addEventListener('pagehide', forgetOwn);
  own.add(key);
  writeText('localStorage', key, JSON.stringify({ kind, browser: navigator.userAgent }));
  try {
    return await work();
  } finally {
    forget(key);
    release?.();
  }
}

/** The kind of work that decoding sound in this browser is. */
export const decodingOf = ({ container, codec }: { container: string; codec: string }): string =>
  `decode ${container}/${codec}`;
