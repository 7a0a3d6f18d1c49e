import { instantOf } from '#base/instant.ts';
import { getInstallation, retryJob } from '#contract/administration-api.ts';
import type { Backups } from '#server/features/backups/create-backups.ts';
import { adminOf } from '#server/http/callers.ts';
import type { ProxyFinding } from '#server/http/edge/proxy-watch.ts';
import { ProblemError } from '#server/http/problem.ts';
import { route, type Route } from '#server/http/route.ts';
import type { FailedJobsStore } from '#server/jobs/failed-jobs.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { backupsReply } from './backups-reply.ts';

/**
 * Routes for administrators on problems of this installation. The proxy check has already seen this very request
 * when the handler runs.
 */
export function installationRoutes({
  proxyFinding,
  reserve,
  failedJobs,
  backups,
}: {
  proxyFinding: () => ProxyFinding | null;
  reserve: Pick<DiskReserve, 'status'>;
  failedJobs: FailedJobsStore;
  backups: Pick<Backups, 'status'>;
}): Route[] {
  return [
    route(getInstallation, async (context) => {
      adminOf(context);
      const [jobs, backup] = [await failedJobs.list(), await backups.status()];
      return {
        body: {
          proxy: proxyFinding(),
          disk: await reserve.status(),
          backups: backupsReply(backup),
          failedJobs: jobs.map(({ id, kind, error, updated_at: at }) => ({
            id,
            kind,
            at: instantOf(at),
            reason: error ?? '',
          })),
        },
      };
    }),
    route(retryJob, async (context) => {
      adminOf(context);
      if (!(await failedJobs.retry(context.params.jobId))) throw new ProblemError('not-found');
      return { status: 204 };
    }),
  ];
}
