import type { LiveEvent } from '#contract/events-api.ts';
import { queryClient, recordingKeys } from '#web/api/query-client.ts';
import { readAgain } from '#web/api/support/shown-change.ts';

/** A recording that grows announces itself again and again; asking this often is enough to look alive. */
const togetherMs = 400;

type Key = readonly unknown[];
const pending = new Map<string, Key>();

/** What an event makes out of date. */
const keysOf: Record<LiveEvent['type'], (recordingId: string | undefined) => Key[]> = {
  // The connection was away, and what happened meanwhile is unknown.
  hello: () => [recordingKeys.lists, recordingKeys.library, ['recording'], ['markers'], ['notes']],
  'recording-changed': (recordingId) =>
    recordingId === undefined ? [recordingKeys.lists] : [recordingKeys.lists, recordingKeys.one(recordingId)],
  'recording-removed': () => [recordingKeys.lists],
  'markers-changed': (recordingId) =>
    recordingId === undefined ? [['markers']] : [recordingKeys.markers(recordingId), recordingKeys.lists],
  'notes-changed': (recordingId) => [
    recordingId === undefined ? ['notes'] : recordingKeys.notes(recordingId),
    recordingKeys.lists,
  ],
  'library-changed': () => [recordingKeys.lists, recordingKeys.library, ['recording']],
  'position-changed': () => [],
  'profile-changed': () => [],
  'session-ended': () => [],
};

/**
 * Marks what an event touches as out of date; what is on screen is then read again, several events at once.
 */
export function refreshQueries(event: LiveEvent): void {
  if (event.type === 'recording-removed' && event.recordingId !== undefined) {
    queryClient.removeQueries({ queryKey: recordingKeys.one(event.recordingId), type: 'inactive' });
  }
  const isFirst = pending.size === 0;
  for (const key of keysOf[event.type](event.recordingId)) pending.set(JSON.stringify(key), key);
  if (isFirst && pending.size > 0) setTimeout(flush, togetherMs);
}

function flush(): void {
  const keys = [...pending.values()];
  pending.clear();
  for (const queryKey of keys) readAgain(queryClient, queryKey);
}
