import type { JobHandler } from '#server/jobs/job-queue.ts';

/** Runs a job without a queue, until no work is left. */
export async function runJob(
  handler: JobHandler | undefined,
  {
    payload = null,
    enqueuedAtMs = Date.now(),
    signal = new AbortController().signal,
  }: { payload?: unknown; enqueuedAtMs?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const job = { id: 'job', payload, attempts: 1, enqueuedAtMs };
  const context = { signal, progressed: () => Promise.resolve() };
  while ((await handler?.run(job, context)) === 'again') signal.throwIfAborted();
}
