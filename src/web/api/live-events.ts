import type { LiveEvent } from '#contract/events-api.ts';
import { routeOf } from '#contract/routes.ts';
import { quietRequest } from './reach/quiet-request.ts';
import { LiveConnection, type LiveStatus } from './live/live-connection.ts';
import { pauseBeforeReconnect, whenVisibilityChanges } from './live/page-presence.ts';
import { refreshQueries } from './live/refresh-queries.ts';
import { readSession, request } from './request.ts';
import { sessionState } from './session-state.ts';
import { createEmitter } from './support/emitter.ts';

const events = createEmitter<{ event: LiveEvent }>();

const { path } = routeOf('getEvents');
const asStream = { cache: 'no-store', headers: { accept: 'text/event-stream' } } as const;

/**
 * While a take runs, a lost session asks for nothing: the take goes on without it, and no dialog may come
 * between a person and Stop.
 */
const openQuietly = (signal: AbortSignal): Promise<Response> => quietRequest(path, { signal, ...asStream });

const connection = new LiveConnection({
  open: (signal) => (isTakeRunning ? openQuietly(signal) : request(path, { signal, ...asStream })),
  onData: receive,
  pause: pauseBeforeReconnect,
});

let isTakeRunning = false;
let isVisible = true;
let isStarted = false;

/** What changed on the server, for this person, while somebody looks or a take runs. */
export const liveEvents = {
  on: (handler: (event: LiveEvent) => void) => events.on('event', handler),
  subscribe: (listener: () => void) => connection.status.subscribe(listener),
  getSnapshot: (): LiveStatus => connection.status.getSnapshot(),
  /** A running take keeps the connection open behind other windows too. */
  setTakeRunning(isRunning: boolean): void {
    isTakeRunning = isRunning;
    adjust();
  },
};

/** Begins to follow session and visibility. Once per page. */
export function startLiveEvents(): void {
  if (isStarted) return;
  isStarted = true;
  sessionState.subscribe(adjust);
  whenVisibilityChanges((next) => {
    isVisible = next;
    adjust();
  });
  adjust();
}

function adjust(): void {
  const { status, isLeaving } = sessionState.getSnapshot();
  connection.setWanted(status === 'signed-in' && !isLeaving && (isVisible || isTakeRunning));
}

const kinds: ReadonlySet<string> = new Set<LiveEvent['type']>([
  'hello',
  'recording-changed',
  'recording-removed',
  'markers-changed',
  'notes-changed',
  'position-changed',
  'library-changed',
  'profile-changed',
  'session-ended',
]);

/** An event of a newer server that this page does not know is left alone. */
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
  // `session-ended` needs nothing here: the server closes the connection, and the next one meets the 401 that
  // leads to the sign-in.
  if (event.type === 'profile-changed') readSession().catch(() => undefined);
  events.emit('event', event);
}
