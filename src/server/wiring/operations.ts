import type { Clock } from '#base/clock.ts';
import type { Config } from '../config.ts';
import { installationRoutes } from '../features/operations/installation-routes.ts';
import { mountOperations, type OperationsDeps } from '../features/operations/operations-routes.ts';
import { createFailedJobs } from '../jobs/failed-jobs.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Database } from '../storage/database/database.ts';
import type { DiskReserve } from '../storage/space/disk-reserve.ts';
import type { HttpApp } from '../http/app.ts';
import { ProxyWatch } from '../http/edge/proxy-watch.ts';
import { mountReference } from '../http/reference/mount-reference.ts';
import type { Route } from '../http/route.ts';

export interface Operations {
  proxyWatch: ProxyWatch;
  routes: Route[];
  /** Serves health, metrics and the API's description. */
  mount(app: HttpApp, deps: Omit<OperationsDeps, 'metricsToken' | 'publicUrl' | 'reserve'>): void;
}

/** What is about the installation and nobody's data. */
export function createOperations(config: Config, { database, clock, queue, reserve }: { database: Database; clock: Clock; queue: Pick<JobQueue, 'wake'>; reserve: DiskReserve }): Operations {
  const { publicUrl, metricsToken } = config;
  const proxyWatch = new ProxyWatch(config);
  const failedJobs = createFailedJobs({ database, clock, wake: () => { queue.wake(); } });
  return {
    proxyWatch, routes: installationRoutes({ proxyFinding: () => proxyWatch.finding, reserve, failedJobs }),
    mount(app, deps) {
      mountOperations(app, { ...deps, metricsToken, publicUrl, reserve });
      mountReference(app, { version: deps.version, publicUrl });
    },
  };
}
