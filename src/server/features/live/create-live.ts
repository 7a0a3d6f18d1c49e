import type { Route } from '#server/http/route.ts';
import { createChangeAnnouncer, type ChangeAnnouncer } from './change-announcer.ts';
import { createLiveHub, type LiveHub } from './live-hub.ts';
import { liveRoutes } from './live-routes.ts';

/** Builds the live events feature: the hub, the announcer and the route. */
export function createLive(hub: LiveHub = createLiveHub()): {
  hub: LiveHub;
  announce: ChangeAnnouncer;
  routes: Route[];
} {
  return { hub, announce: createChangeAnnouncer(hub), routes: liveRoutes(hub) };
}
