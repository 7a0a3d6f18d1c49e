import { second } from '#base/duration.ts';
import type { Fact } from '#contract/server-status-api.ts';
import { inTime } from '#server/jobs/in-time.ts';

const defaultTimeoutMs = 2 * second;

/**
 * Returns a function that reads a fact and waits for it up to a time limit. While a read has not ended, no second one
 * starts: a store that does not respond gets no more requests, however often the fact is requested.
 */
export function factReader<Value>(
  read: () => Promise<Value>,
  timeoutMs = defaultTimeoutMs,
): () => Promise<Fact<Value>> {
  let running: Promise<Fact<Value>> | null = null;
  const attempt = async (): Promise<Fact<Value>> => {
    try {
      return { value: await read(), problem: null };
    } catch {
      return { value: null, problem: 'failed' };
    } finally {
      running = null;
    }
  };
  return () => {
    running ??= attempt();
    return inTime(running, { timeoutMs, otherwise: { value: null, problem: 'timed-out' as const } });
  };
}
