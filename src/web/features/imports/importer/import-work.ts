import { SpeedMeter } from '#web/api/speed-meter.ts';
import type { FromImportWorker } from '#workers/import/messages.ts';
import type { ImportJob, ImportState } from './import-item.ts';
import { type ImportWorkerClient, startImportWorkerClient } from './import-worker-client.ts';
import type { RetryReason } from './server-calls.ts';

/**
 * A worker that reads or sends the file of an import. `retryReason`: the reason why the import is not registered
 * yet.
 */
export interface Work {
  job: ImportJob;
  thread: ImportWorkerClient;
  speed: SpeedMeter;
  retryReason: RetryReason;
}

/** Starts a worker for an import. */
export const startWork = (job: ImportJob, onMessage: (message: FromImportWorker) => void): Work => ({
  job,
  speed: new SpeedMeter(),
  retryReason: null,
  thread: startImportWorkerClient(onMessage),
});

/** The state of an import after its worker reported progress, or why there is none. */
export function sendingState(
  { job, speed, retryReason }: Work,
  { sentBytes, condition }: Pick<Extract<FromImportWorker, { type: 'sending' }>, 'sentBytes' | 'condition'>,
): ImportState {
  speed.mark(sentBytes, performance.now());
  return {
    step: 'sending',
    sentBytes,
    condition: condition === 'unattached' ? (retryReason ?? condition) : condition,
    bytesPerSecond: speed.bytesPerSecond,
    leftMs: speed.leftMs(job.record.sizeBytes - sentBytes),
  };
}
