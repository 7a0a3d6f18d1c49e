import { getInstallation } from '#contract/administration-api.ts';
import { adminOf } from '../../http/callers.ts';
import type { ProxyFinding } from '../../http/edge/proxy-watch.ts';
import { route, type Route } from '../../http/route.ts';
import type { DiskReserve } from '../../storage/space/disk-reserve.ts';

/** For admins: what about this installation needs attention. The proxy was watched by the time a handler runs, with this very request. */
export function installationRoutes({ proxyFinding, reserve }: { proxyFinding: () => ProxyFinding | null; reserve: Pick<DiskReserve, 'status'> }): Route[] {
  return [
    route(getInstallation, async (context) => {
      adminOf(context);
      return { body: { proxy: proxyFinding(), disk: await reserve.status() } };
    }),
  ];
}
