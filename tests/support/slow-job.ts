import type { JobHandler } from '#server/jobs/job-queue.ts';

/** A job of the kind `slow` that runs until it is aborted. */
export function slowJob(): {
  handler: JobHandler;
  started: Promise<void>;
  /** Resolves with the reason of the abort. */
  aborted: Promise<unknown>;
} {
  const [started, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  return {
    started: started.promise,
    aborted: aborted.promise,
    handler: {
      kind: 'slow',
      run: (_job, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve();
          signal.addEventListener('abort', () => {
            aborted.resolve(signal.reason);
            reject(new Error('aborted'));
          });
        }),
    },
  };
}
