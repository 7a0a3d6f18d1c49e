import type { Feature } from '#server/features/feature.ts';
import { createChangeAnnouncer, type ChangeAnnouncer } from './change-announcer.ts';
import { createLiveHub, type LiveHub } from './live-hub.ts';
import { liveRoutes } from './live-routes.ts';

export interface Live extends Feature {
  hub: LiveHub;
  announce: ChangeAnnouncer;
}

/** Builds the live events feature: the hub, the announcer and the route. */
export function createLive(hub: LiveHub = createLiveHub()): Live {
  const announce = createChangeAnnouncer(hub);
  return {
    hub,
    announce,
    routes: liveRoutes(hub),
    mount(app) {
      app.addHook('preClose', async () => hub.closeAll());
    },
    stop: () => announce.stop(),
  };
}
