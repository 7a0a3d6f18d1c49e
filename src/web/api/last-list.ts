import { newestFirst } from '#base/recorded-time/order.ts';
import type { Recording } from '#contract/recordings.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';
import { lastListKey, lastUser } from './last-user.ts';

/** A few screens of rows; 100 rows are about 60 kB. */
const maxRecordings = 100;

/** The newest recordings of a user, newest first, and how many there are; null if that is not known. */
interface NewestRecordings {
  recordings: readonly Recording[];
  total: number | null;
}

/**
 * Stores the newest recordings of the signed-in user, without their waveform overviews. The recorder reads only a few:
 * the older ones that are stored already stay.
 */
export function rememberList(userId: string, { recordings, total }: NewestRecordings): void {
  if (lastUser()?.id !== userId) return;
  const listed = [...recordings, ...olderOnes(recordings, lastList(userId).recordings)].slice(
    0,
    Math.min(maxRecordings, total ?? maxRecordings),
  );
  const stored = listed.map((recording) => ({ ...recording, overview: null }));
  writeText('localStorage', lastListKey, JSON.stringify({ userId, recordings: stored, total }));
}

/** Those of `known` that a list of the newest ends before. */
function olderOnes(newest: readonly Recording[], known: readonly Recording[]): readonly Recording[] {
  const [ids, last] = [new Set(newest.map(({ id }) => id)), newest.at(-1)];
  if (last === undefined) return [];
  return known.filter(
    ({ id, recordedTime }) => !ids.has(id) && newestFirst(last.recordedTime, recordedTime) <= 0,
  );
}

const isListed = (value: unknown): value is Recording =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['title'] === 'string' &&
  typeof value['durationMs'] === 'number' &&
  isRecord(value['recordedTime']) &&
  Array.isArray(value['people']) &&
  Array.isArray(value['tagIds']);

const nothing = { recordings: [], isWhole: true };

/** The list that this user saw last, and whether it is all that the user had; empty if none is stored. */
export function lastList(userId: string | null): { recordings: readonly Recording[]; isWhole: boolean } {
  const stored = userId === null ? null : readJson('localStorage', lastListKey);
  if (!isRecord(stored) || stored['userId'] !== userId || !Array.isArray(stored['recordings']))
    return nothing;
  const { total } = stored;
  const recordings = stored['recordings'].filter(isListed);
  const isWhole = typeof total === 'number' ? recordings.length >= total : recordings.length < maxRecordings;
  return { recordings, isWhole };
}
