import type { Route } from '#server/http/route.ts';
import { createChangeAnnouncer, type ChangeAnnouncer } from './change-announcer.ts';
import { createLiveHub, type LiveHub } from './live-hub.ts';
import { liveRoutes } from './live-routes.ts';

/** Wires the live events: who listens, what is said, and the call by which one listens. */
export function createLive(hub: LiveHub = createLiveHub()): {
  hub: LiveHub;
  announce: ChangeAnnouncer;
  routes: Route[];
} {
  return { hub, announce: createChangeAnnouncer(hub), routes: liveRoutes(hub) };
}
