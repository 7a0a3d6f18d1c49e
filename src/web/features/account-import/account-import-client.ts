import { createWorkerClient, type WorkerThread } from '#web/api/worker-client.ts';
import type { FromRestoreWorker, ToRestoreWorker } from '#workers/account-import/messages.ts';
import accountImportWorkerUrl from '#workers/account-import/account-import.worker.ts?worker&url';

export type RestoreThread = WorkerThread<ToRestoreWorker>;

/** Starts the thread that reads an export and sends what is in it. */
export function startRestoreThread(onMessage: (message: FromRestoreWorker) => void): RestoreThread {
  const worker = new Worker(accountImportWorkerUrl, { type: 'module', name: 'earshot-restore' });
  return createWorkerClient<ToRestoreWorker, FromRestoreWorker>(worker, {
    onMessage,
    whenBroken: (detail) => ({ type: 'failed', reason: 'internal', detail }),
  });
}
