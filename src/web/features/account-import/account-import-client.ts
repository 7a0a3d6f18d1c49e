import { createWorkerClient, type WorkerThread } from '#web/api/worker-client.ts';
import type { FromAccountImportWorker, ToAccountImportWorker } from '#workers/account-import/messages.ts';
import accountImportWorkerUrl from '#workers/account-import/account-import.worker.ts?worker&url';

export type AccountImportClient = WorkerThread<ToAccountImportWorker>;

/** Starts the worker that reads an export and sends its contents. */
export function startAccountImportClient(
  onMessage: (message: FromAccountImportWorker) => void,
): AccountImportClient {
  const worker = new Worker(accountImportWorkerUrl, { type: 'module', name: 'earshot-restore' });
  return createWorkerClient<ToAccountImportWorker, FromAccountImportWorker>(worker, {
    onMessage,
    whenBroken: (detail) => ({ type: 'failed', reason: 'internal', detail }),
  });
}
