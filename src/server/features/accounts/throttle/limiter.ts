import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { second } from '#base/duration.ts';
import { clientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/pipeline/rate-limited.ts';

/** A rate limiter in memory: `points` per `durationMs` for each key. */
export const limiter = (points: number, durationMs: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration: durationMs / second });

/** Whether an address belongs to a single client's network. It does not if it is a proxy that hides its clients. */
export type IsClientNetwork = (ip: string) => boolean;

/**
 * Counts a call against the network of an address, if the address belongs to one.
 * @throws rate-limited (429)
 */
export async function consumeForNetwork(
  limit: RateLimiterMemory,
  ip: string,
  isClientNetwork: IsClientNetwork,
): Promise<void> {
  if (isClientNetwork(ip)) await consume(limit, clientNetwork(ip));
}

/**
 * Counts a call against a key.
 * @throws rate-limited (429)
 */
export async function consume(limit: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limit.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
    throw error;
  }
}
