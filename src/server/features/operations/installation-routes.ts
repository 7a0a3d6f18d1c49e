import { getInstallation } from '#contract/administration-api.ts';
import { adminOf } from '../../http/callers.ts';
import type { ProxyFinding } from '../../http/edge/proxy-watch.ts';
import { route, type Route } from '../../http/route.ts';

/** For admins: what about this installation needs attention. The proxy was watched by the time a handler runs, with this very request. */
export function installationRoutes({ proxyFinding }: { proxyFinding: () => ProxyFinding | null }): Route[] {
  return [
    route(getInstallation, async (context) => {
      adminOf(context);
      return { body: { proxy: proxyFinding() } };
    }),
  ];
}
