import type { Recording } from '#contract/recordings.ts';
import { isRecord, readJson, writeText } from '#device/site-data/text-store.ts';
import { lastListKey, lastUser } from './last-user.ts';

/** A few screens of rows; 100 rows are about 60 kB. */
const mostRecordings = 100;

/** Stores the newest recordings of the signed-in user, without their waveform overviews. */
export function rememberList(userId: string, recordings: readonly Recording[]): void {
  if (lastUser()?.id !== userId) return;
  const newest = recordings.slice(0, mostRecordings).map((recording) => ({ ...recording, overview: null }));
  writeText('localStorage', lastListKey, JSON.stringify({ userId, recordings: newest }));
}

const isListed = (value: unknown): value is Recording =>
  isRecord(value) &&
  typeof value['id'] === 'string' &&
  typeof value['title'] === 'string' &&
  typeof value['durationMs'] === 'number' &&
  isRecord(value['recordedTime']) &&
  Array.isArray(value['people']) &&
  Array.isArray(value['tagIds']);

/** The list that this user saw last; empty if none is stored. */
export function lastList(userId: string | null): readonly Recording[] {
  const stored = userId === null ? null : readJson('localStorage', lastListKey);
  if (!isRecord(stored) || stored['userId'] !== userId || !Array.isArray(stored['recordings'])) return [];
  return stored['recordings'].filter(isListed);
}
