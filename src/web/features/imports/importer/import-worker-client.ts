import { createWorkerClient, type WorkerThread } from '#web/api/worker-client.ts';
import importWorkerUrl from '#workers/import/import.worker.ts?worker&url';
import type { FromImportWorker, ToImportWorker } from '#workers/import/messages.ts';

export type ImportThread = WorkerThread<ToImportWorker>;

/** Starts the thread that reads or sends one file. */
export function startImportThread(onMessage: (message: FromImportWorker) => void): ImportThread {
  const worker = new Worker(importWorkerUrl, { type: 'module', name: 'earshot-import' });
  return createWorkerClient<ToImportWorker, FromImportWorker>(worker, {
    onMessage,
    whenBroken: (detail) => ({ type: 'failed', code: 'internal', detail }),
  });
}
