import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { second } from '#base/duration.ts';
import { clientNetwork } from '#server/http/edge/client-network.ts';
import { rateLimited } from '#server/http/pipeline/rate-limited.ts';

/** So many in each such time, per key; kept in memory. */
export const limiter = (points: number, durationMs: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration: durationMs / second });

/**
 * Whether an address stands for one client's network: a proxy's does not, where it cannot be seen through.
 */
export type IsClientNetwork = (ip: string) => boolean;

/** Counts one for the network of an address, where it stands for one. Throws rate-limited (429). */
export async function consumeForNetwork(
  limit: RateLimiterMemory,
  ip: string,
  isClientNetwork: IsClientNetwork,
): Promise<void> {
  if (isClientNetwork(ip)) await consume(limit, clientNetwork(ip));
}

/** Counts one. Throws rate-limited (429). */
export async function consume(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
    throw error;
  }
}
