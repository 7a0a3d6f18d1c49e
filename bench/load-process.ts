import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A load on a server, made by a process of its own so that it does not delay what is measured. */
export interface LoadProcess<Result> {
  /** Runs the load for some seconds. */
  run: (seconds: number) => Promise<Result>;
  end: () => void;
}

const answerOf = async <Value>(child: ReturnType<typeof fork>): Promise<Value> => {
  const signal = AbortSignal.timeout(10 * 60_000);
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the load ended');
  });
  const [value] = (await Promise.race([once(child, 'message', { signal }), ended])) as [Value];
  return value;
};

/** Starts a script of this folder that calls `serveLoad`, and waits until it is ready. */
export async function startLoad<Result>(script: string, options: object): Promise<LoadProcess<Result>> {
  const child = fork(join(import.meta.dirname, script), [JSON.stringify(options)]);
  await answerOf(child);
  return {
    async run(seconds) {
      child.send(seconds);
      return answerOf<Result>(child);
    },
    end: () => child.kill(),
  };
}

/** Serves runs of a load in a process that `startLoad` started. */
export async function serveLoad<Options, Result>(
  prepare: (options: Options) => Promise<(seconds: number) => Promise<Result>>,
): Promise<void> {
  process.once('disconnect', () => process.exit());
  const run = await prepare(JSON.parse(process.argv[2] ?? '{}') as Options);
  process.on('message', (seconds: number) => {
    void run(seconds).then((result) => process.send?.(result));
  });
  process.send?.('ready');
}
