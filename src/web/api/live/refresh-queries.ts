import type { LiveEvent } from '#contract/events-api.ts';
import { queryClient, recordingKeys } from '../query-client.ts';

/** A recording that grows announces itself again and again; asking this often is enough to look alive. */
const togetherMs = 400;

type Key = readonly unknown[];
const pending = new Map<string, Key>();

/** What an event makes out of date. */
function keysOf(event: LiveEvent): Key[] {
  const { type, recordingId } = event;
  switch (type) {
    // The connection was away, and what happened meanwhile is unknown.
    case 'hello': return [recordingKeys.lists, ['recording'], ['markers']];
    case 'recording-changed': return recordingId === undefined ? [recordingKeys.lists] : [recordingKeys.lists, recordingKeys.one(recordingId)];
    case 'recording-removed': return [recordingKeys.lists];
    case 'markers-changed': return recordingId === undefined ? [['markers']] : [recordingKeys.markers(recordingId), recordingKeys.lists];
    case 'profile-changed': case 'session-ended': return [];
  }
}

/** Marks what an event touches as out of date; what is on screen is then read again, several events at once. */
export function refreshQueries(event: LiveEvent): void {
  if (event.type === 'recording-removed' && event.recordingId !== undefined) {
    queryClient.removeQueries({ queryKey: recordingKeys.one(event.recordingId), type: 'inactive' });
  }
  const isFirst = pending.size === 0;
  for (const key of keysOf(event)) pending.set(JSON.stringify(key), key);
  if (isFirst && pending.size > 0) setTimeout(flush, togetherMs);
}

function flush(): void {
  const keys = [...pending.values()];
  pending.clear();
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}
