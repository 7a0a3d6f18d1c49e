import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { second } from '#base/duration.ts';
import { rateLimited } from '../../../http/pipeline/rate-limited.ts';

/** So many in each such time, per key; kept in memory. */
export const limiter = (points: number, durationMs: number): RateLimiterMemory => new RateLimiterMemory({ points, duration: durationMs / second });

/** Counts one. Throws rate-limited (429). */
export async function consume(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
    throw error;
  }
}
