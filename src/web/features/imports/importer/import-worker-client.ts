import { createWorkerClient, type WorkerThread } from '#web/api/worker-client.ts';
import importWorkerUrl from '#workers/import/import.worker.ts?worker&url';
import type { FromImportWorker, ToImportWorker } from '#workers/import/messages.ts';

export type ImportWorkerClient = WorkerThread<ToImportWorker>;

/** Starts the worker that reads or sends one file. */
export function startImportWorkerClient(onMessage: (message: FromImportWorker) => void): ImportWorkerClient {
  const worker = new Worker(importWorkerUrl, { type: 'module', name: 'earshot-import' });
  return createWorkerClient<ToImportWorker, FromImportWorker>(worker, {
    onMessage,
    whenBroken: (detail) => ({ type: 'failed', code: 'internal', detail }),
  });
}
