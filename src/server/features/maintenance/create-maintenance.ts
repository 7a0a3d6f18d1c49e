import type { Feature } from '#server/features/feature.ts';
import { createFailedJobs } from '#server/jobs/failed-jobs.ts';
import type { JobQueue } from '#server/jobs/job-queue.ts';
import { createVerification, verificationSchedules, type VerificationDeps } from './create-verification.ts';
import { installationRoutes } from './installation-routes.ts';
import { mountOperations, type OperationsDeps } from './operations-routes.ts';
import { createServerStatus, type ServerStatusDeps } from './status/create-server-status.ts';

export interface MaintenanceDeps
  extends
    Omit<OperationsDeps, 'blobKind' | 'damagedCount' | 'verifiedAtMs' | 'queue' | 'nodeCount'>,
    Omit<ServerStatusDeps, 'verification'>,
    Pick<VerificationDeps, 'announce'> {
  queue: Pick<JobQueue, 'wake'>;
  /** Called for every stored stream that no longer matches the hash of its receipt. */
  onDamage: (damage: { recordingId: string; uploadId: string; verdict: string }) => void;
  /** Called when heartbeats start to fail; they continue. */
  onHeartbeatError: (error: unknown) => void;
}

/** The interface of the maintenance feature for the rest of the server. */
export interface Maintenance extends Feature {
  /** Writes at once that this node runs, or drains. */
  beat: () => Promise<void>;
}

/**
 * Builds the maintenance feature: verifies stored bytes, shows administrators and monitoring systems the state of the
 * server, and writes the heartbeat of this node.
 */
export function createMaintenance(deps: MaintenanceDeps): Maintenance {
  const { metrics, onDamage } = deps;
  const verification = createVerification({
    ...deps,
    onVerified({ stream, verdict }) {
      metrics.verified(stream.size_bytes);
      if (verdict !== 'intact') onDamage({ recordingId: stream.recording_id, uploadId: stream.id, verdict });
    },
  });
  const failedJobs = createFailedJobs({ ...deps, wake: () => deps.queue.wake() });
  const status = createServerStatus({ ...deps, verification });
  return {
    routes: [...installationRoutes({ ...deps, failedJobs }), ...status.routes],
    jobs: verification.jobs,
    schedules: verificationSchedules,
    mount(app) {
      mountOperations(app, {
        ...deps,
        blobKind: deps.bucket === null ? 'disk' : 's3',
        damagedCount: () => verification.damagedCount(),
        verifiedAtMs: () => verification.completedAtMs(),
        queue: status.queue,
        nodeCount: status.nodeCount,
      });
    },
    start() {
      status.heartbeat.start(deps.onHeartbeatError);
    },
    stop: () => status.heartbeat.stop(),
    beat: () => status.heartbeat.beat(),
  };
}
