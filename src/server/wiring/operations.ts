import type { Clock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { installationRoutes } from '#server/features/maintenance/installation-routes.ts';
import { mountOperations, type OperationsDeps } from '#server/features/maintenance/operations-routes.ts';
import { createFailedJobs } from '#server/jobs/failed-jobs.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/space/disk-reserve.ts';
import type { HttpApp } from '#server/http/app.ts';
import { ProxyWatch } from '#server/http/edge/proxy-watch.ts';
import { mountReference } from '#server/http/reference/mount-reference.ts';
import type { Route } from '#server/http/route.ts';

export interface Operations {
  proxyWatch: ProxyWatch;
  routes: Route[];
  /** Serves health, metrics and the API's description. */
  mount(app: HttpApp, deps: Omit<OperationsDeps, 'metricsToken' | 'publicUrl' | 'reserve'>): void;
}

/** What is about the installation and nobody's data. */
export function createOperations(
  config: Config,
  {
    database,
    clock,
    queue,
    reserve,
  }: { database: Database; clock: Clock; queue: Pick<JobQueue, 'wake'>; reserve: DiskReserve },
): Operations {
  const { publicUrl, metricsToken } = config;
  const proxyWatch = new ProxyWatch(config);
  const failedJobs = createFailedJobs({
    database,
    clock,
    wake: () => {
      queue.wake();
    },
  });
  return {
    proxyWatch,
    routes: installationRoutes({ proxyFinding: () => proxyWatch.finding, reserve, failedJobs }),
    mount(app, deps) {
      mountOperations(app, { ...deps, metricsToken, publicUrl, reserve });
      mountReference(app, { version: deps.version, publicUrl });
    },
  };
}
