import { getEvents } from '#contract/events-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { openEventStream } from './event-stream.ts';
import type { LiveHub } from './live-hub.ts';

/** The event stream. `Last-Event-ID` is not supported: a client reloads everything it shows after connecting. */
export function liveRoutes(hub: LiveHub): Route[] {
  return [
    route(getEvents, async (context) => {
      const { userId, sessionId } = sessionOf(context);
      let leave = (): void => undefined;
      const client = openEventStream(context.reply, { userId, sessionId, onClosed: () => leave() });
      if (client === null) return 'sent';
      leave = hub.join(client);
      client.send({ type: 'hello' });
      return 'sent';
    }),
  ];
}
