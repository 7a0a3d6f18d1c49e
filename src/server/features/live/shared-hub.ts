import { z } from 'zod';
import { liveEventSchema, type LiveEvent } from '#contract/events-api.ts';
import type { LiveHub } from './live-hub.ts';

/** In place of a user: all of them. Versions that do not know it find no user with this id. */
const everyone = '*';

const messageSchema = z.tuple([z.string(), liveEventSchema]);

/** Sends messages to the other servers of the same database. */
export interface HubChannel {
  send(message: unknown): void;
}

/** A hub whose events also reach users who are connected to other servers. */
export interface SharedHub {
  hub: LiveHub;
  /** Publishes an event of another server here. */
  receive(message: unknown): void;
  /** Makes every page of this server read again what it shows, because events may have been missed. */
  catchUp(): void;
}

/** Connects the hub of this process with those of other servers. */
export function createSharedHub(local: LiveHub, channel: HubChannel): SharedHub {
  return {
    hub: {
      join: (client) => local.join(client),
      publish(userId, event) {
        local.publish(userId, event);
        channel.send([userId, event] satisfies [string, LiveEvent]);
      },
      publishToAll(event) {
        local.publishToAll(event);
        channel.send([everyone, event] satisfies [string, LiveEvent]);
      },
      // Every server watches its own sessions in the database.
      endSession: (sessionId) => local.endSession(sessionId),
      sessionIds: () => local.sessionIds(),
      closeAll: () => local.closeAll(),
      get clientCount() {
        return local.clientCount;
      },
    },
    receive(message) {
      const parsed = messageSchema.safeParse(message);
      // A server of another version may send events that this one does not know.
      if (!parsed.success) return;
      const [userId, event] = parsed.data;
      if (userId === everyone) local.publishToAll(event);
      else local.publish(userId, event);
    },
    catchUp: () => local.publishToAll({ type: 'hello' }),
  };
}
