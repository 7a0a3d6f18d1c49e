import type { LiveEvent } from '#contract/events-api.ts';

/** One open event stream of one session. */
interface LiveClient {
  userId: string;
  sessionId: string;
  send(event: LiveEvent): void;
  close(): void;
}

/** Notifies users' open pages of changes. Events are hints: a lost one delays a refresh but loses no data. */
export interface LiveHub {
  /** Adds a client until the returned function is called. After `closeAll`, closes it instead. */
  join(client: LiveClient): () => void;
  publish(userId: string, event: LiveEvent): void;
  /** Sends an event to every client. */
  publishToAll(event: LiveEvent): void;
  /** Sends `session-ended` to the streams of a revoked or signed-out session and closes them. */
  endSession(sessionId: string): void;
  /** Ids of the sessions with an open stream. */
  sessionIds(): string[];
  /** Closes every stream, for shutdown. */
  closeAll(): void;
  readonly clientCount: number;
}

/** More than a user has visible pages. Each stream uses a connection and a file descriptor. */
const streamsPerSession = 20;
const streamsPerUser = 100;

/** Creates the hub of this process. */
export function createLiveHub(): LiveHub {
  const clients = new Map<string, Set<LiveClient>>();
  let closed = false;
  const all = (): LiveClient[] => [...clients.values()].flatMap((set) => [...set]);
  /**
   * Closes the oldest streams of a user, or of one session, until another one is allowed. They leave the set
   * immediately, even if their connections close later.
   */
  const makeSpace = (set: Set<LiveClient>, max: number, sessionId?: string): void => {
    const counted = [...set].filter((client) => sessionId === undefined || client.sessionId === sessionId);
    for (const oldest of counted.slice(0, Math.max(0, counted.length - max + 1))) {
      set.delete(oldest);
      oldest.close();
    }
  };
  return {
    join(client) {
      if (closed) {
        client.close();
        return () => undefined;
      }
      const set = clients.get(client.userId) ?? new Set();
      makeSpace(set, streamsPerUser);
      makeSpace(set, streamsPerSession, client.sessionId);
      clients.set(client.userId, set.add(client));
      return () => {
        set.delete(client);
        if (set.size === 0 && clients.get(client.userId) === set) clients.delete(client.userId);
      };
    },
    publish(userId, event) {
      for (const client of clients.get(userId) ?? []) client.send(event);
    },
    publishToAll(event) {
      for (const client of all()) client.send(event);
    },
    endSession(sessionId) {
      for (const client of all()) {
        if (client.sessionId !== sessionId) continue;
        client.send({ type: 'session-ended' });
        client.close();
      }
    },
    sessionIds: () => [...new Set(all().map((client) => client.sessionId))],
    closeAll() {
      closed = true;
      for (const client of all()) client.close();
    },
    get clientCount() {
      return all().length;
    },
  };
}
