import { backOffMs } from '#base/back-off.ts';
import type { LiveEvent } from '#contract/events-api.ts';
import { routeOf } from '#contract/routes.ts';
import { requestWithoutHold, readSession, request } from './request.ts';
import { waitForRetry } from './connection/retry.ts';
import { LiveConnection, type LiveStatus, onVisibilityChange } from './live-connection.ts';
import { sessionState } from './session-state.ts';
import { userScope } from './user-scope.ts';
import { createEmitter } from '#base/emitter.ts';
import { queryClient, recordingKeys, shareKeys } from '#web/api/queries/query-client.ts';
import { readAgain } from './queries/optimistic-change.ts';

const events = createEmitter<{ event: LiveEvent }>();

const { path } = routeOf('getEvents');
const asStream = { cache: 'no-store', headers: { accept: 'text/event-stream' } } as const;

/** While a take runs, a lost session prompts for nothing: no dialog may come between the user and Stop. */
const openWithoutPrompt = (signal: AbortSignal): Promise<Response> =>
  requestWithoutHold(path, { signal, ...asStream });

const connection = new LiveConnection({
  open: (signal) => (isTakeRunning ? openWithoutPrompt(signal) : request(path, { signal, ...asStream })),
  onData: receive,
  pause: (failures, signal) => waitForRetry(backOffMs(failures), signal),
});

let isTakeRunning = false;
let isVisible = true;
let isStarted = false;

/** Changes on the server for this user, while the page is visible or a take runs. */
export const liveEvents = {
  on: (handler: (event: LiveEvent) => void) => events.on('event', handler),
  subscribe: (listener: () => void) => connection.status.subscribe(listener),
  getSnapshot: (): LiveStatus => connection.status.getSnapshot(),
  /** A running take keeps the connection open while the page is hidden. */
  setTakeRunning(isRunning: boolean): void {
    isTakeRunning = isRunning;
    adjust();
  },
};

/** Starts following the session and the page's visibility. Call once per page. */
export function startLiveEvents(): void {
  if (isStarted) return;
  isStarted = true;
  sessionState.subscribe(adjust);
  onVisibilityChange((next) => {
    isVisible = next;
    adjust();
  });
  adjust();
}

function adjust(): void {
  const { status, user, isLeaving } = sessionState.getSnapshot();
  const isWanted = status === 'signed-in' && !isLeaving && (isVisible || isTakeRunning);
  connection.setUser(isWanted ? user.id : null);
}

const kinds: ReadonlySet<string> = new Set<LiveEvent['type']>([
  'hello',
  'recording-changed',
  'recording-removed',
  'markers-changed',
  'notes-changed',
  'transcript-changed',
  'position-changed',
  'library-changed',
  'shares-changed',
  'profile-changed',
  'session-ended',
]);

/** Ignores the events of a newer server that this page does not know. */
function isLiveEvent(value: unknown): value is LiveEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    kinds.has(value.type)
  );
}

function receive(data: string): void {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return;
  }
  if (!isLiveEvent(event)) return;
  refreshQueries(event);
  // `session-ended` needs no handling: the server closes the connection, and the next one gets the 401 that leads
  // to the sign-in.
  if (event.type === 'profile-changed') readSession().catch(() => undefined);
  events.emit('event', event);
}

/** A recording in progress sends events again and again. One refresh in this time is enough to look live. */
const refreshDelayMs = 400;

type Key = readonly unknown[];
const pending = new Map<string, Key>();
userScope.onSessionEnd(() => pending.clear());

/** The queries that an event makes out of date. */
const keysOf: Record<LiveEvent['type'], (recordingId: string | undefined) => Key[]> = {
  // The connection was down, so any event may have been missed.
  hello: () => [
    recordingKeys.lists,
    recordingKeys.library,
    ['recording'],
    ['markers'],
    ['notes'],
    ['transcript'],
    ['transcriber'],
    ['speech-models'],
    shareKeys.everything,
  ],
  'recording-changed': (recordingId) =>
    recordingId === undefined ? [recordingKeys.lists] : [recordingKeys.lists, recordingKeys.one(recordingId)],
  'recording-removed': () => [recordingKeys.lists, shareKeys.everything],
  'markers-changed': (recordingId) =>
    recordingId === undefined ? [['markers']] : [recordingKeys.markers(recordingId), recordingKeys.lists],
  'notes-changed': (recordingId) => [
    recordingId === undefined ? ['notes'] : recordingKeys.notes(recordingId),
    recordingKeys.lists,
  ],
  'transcript-changed': (recordingId) => [
    recordingId === undefined ? ['transcript'] : ['transcript', recordingId],
  ],
  'transcriber-changed': () => [['transcriber'], ['speech-models']],
  'library-changed': () => [recordingKeys.lists, recordingKeys.library, ['recording']],
  'shares-changed': () => [shareKeys.everything],
  'position-changed': () => [],
  'profile-changed': () => [],
  'session-ended': () => [],
};

/** Invalidates the queries that an event affects. Several events share one refresh. */
function refreshQueries(event: LiveEvent): void {
  if (event.type === 'recording-removed' && event.recordingId !== undefined) {
    queryClient.removeQueries({ queryKey: recordingKeys.one(event.recordingId), type: 'inactive' });
  }
  const isFirst = pending.size === 0;
  for (const key of keysOf[event.type](event.recordingId)) pending.set(JSON.stringify(key), key);
  if (isFirst && pending.size > 0) setTimeout(flush, refreshDelayMs);
}

function flush(): void {
  const keys = [...pending.values()];
  pending.clear();
  for (const queryKey of keys) readAgain(queryClient, queryKey);
}
