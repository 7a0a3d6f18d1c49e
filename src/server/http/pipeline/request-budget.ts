import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { second } from '#base/duration.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import type { Principal } from '#server/http/principal.ts';
import { rateLimited } from './rate-limited.ts';

/**
 * Counts a request against its sender's limit.
 * @throws rate-limited (429) with the time to wait
 */
export type RequestBudget = (
  sender: { principal: Principal | null; ip: string },
  endpoint: Endpoint,
) => Promise<void>;

/**
 * Allowed requests per second, and extra ones within ten seconds. Ten tabs that load at the same time stay far
 * below.
 */
const allowances = {
  read: { perSecond: 50, burst: 500 },
  write: { perSecond: 20, burst: 200 },
  open: { perSecond: 50, burst: 1000 },
} as const;
type Kind = keyof typeof allowances;

const limiterOf = ({ perSecond, burst }: { perSecond: number; burst: number }): BurstyRateLimiter =>
  new BurstyRateLimiter(
    new RateLimiterMemory({ points: perSecond, duration: 1 }),
    new RateLimiterMemory({ points: burst, duration: (10 * second) / second, keyPrefix: 'burst' }),
  );

/**
 * Returns the key and allowance that a request counts under, or null if it does not count. Appending, sealing and
 * renaming by a take's device never count, so that a running take is never delayed. Listeners whose networks a proxy
 * hides don't count, because they would share one allowance.
 */
function countedAs(
  { principal, ip }: { principal: Principal | null; ip: string },
  { method, path }: Endpoint,
  isClientNetwork: IsClientNetwork,
): { key: string; kind: Kind } | null {
  const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  if (principal === null) return null;
  switch (principal.kind) {
    case 'session':
      return { key: principal.sessionId, kind };
    case 'share':
    case 'share-locked':
    case 'share-outsider': {
      const network = countedNetwork(ip, isClientNetwork);
      return network === null ? null : { key: `${principal.shareId} ${network}`, kind };
    }
    case 'upload-capability': {
      const isOpening = method === 'PUT' && path.startsWith('/api/uploads/');
      return isOpening ? { key: principal.recordingId, kind: 'open' } : null;
    }
  }
}

/**
 * Limits reads and writes per session, and per share and network of its listeners, and how fast a take may open uploads.
 * The counters are in memory.
 */
export function createRequestBudget(isClientNetwork: IsClientNetwork): RequestBudget {
  const limiters: Record<Kind, BurstyRateLimiter> = {
    read: limiterOf(allowances.read),
    write: limiterOf(allowances.write),
    open: limiterOf(allowances.open),
  };
  return async (sender, endpoint) => {
    const counted = countedAs(sender, endpoint, isClientNetwork);
    if (counted === null) return;
    try {
      await limiters[counted.kind].consume(counted.key);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
      throw error;
    }
  };
}
