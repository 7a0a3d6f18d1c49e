import { holdThread, type WorkerThread } from '#web/api/support/worker-thread.ts';
import type { FromRestoreWorker, ToRestoreWorker } from '#workers/restore/messages.ts';
import restoreWorkerUrl from '#workers/restore/restore.worker.ts?worker&url';

export type RestoreThread = WorkerThread<ToRestoreWorker>;

/** Starts the thread that reads an export and sends what is in it. */
export function startRestoreThread(hear: (message: FromRestoreWorker) => void): RestoreThread {
  const worker = new Worker(restoreWorkerUrl, { type: 'module', name: 'earshot-restore' });
  return holdThread<ToRestoreWorker, FromRestoreWorker>(worker, {
    hear,
    whenBroken: (detail) => ({ type: 'failed', reason: 'internal', detail }),
  });
}
