import { getEvents, type LiveEvent } from '#contract/events-api.ts';
import { sessionOf } from '#server/http/callers.ts';
import { route, type Route } from '#server/http/route.ts';
import { openEventStream } from '#server/http/edge/event-stream.ts';
import type { LiveHub } from './live-hub.ts';

/** The event stream. `Last-Event-ID` is not supported: a client reloads everything it shows after connecting. */
export function liveRoutes(hub: LiveHub): Route[] {
  return [
    route(getEvents, async (context) => {
      const { userId, sessionId } = sessionOf(context);
      let leave = (): void => undefined;
      const stream = openEventStream<LiveEvent>(context.reply, () => leave());
      if (stream === null) return 'sent';
      leave = hub.join({ userId, sessionId, ...stream });
      stream.send({ type: 'hello' });
      return 'sent';
    }),
  ];
}
