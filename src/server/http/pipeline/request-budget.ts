import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { second } from '#base/duration.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import type { Principal } from '#server/http/principal.ts';
import { ByteAllowance } from './byte-allowance.ts';
import { rateLimited } from '#server/http/rate-limited.ts';

const mebibyte = 1024 ** 2;

interface Sender {
  principal: Principal | null;
  ip: string;
}

/** The limits of what each sender may request, and of how much text the server makes for it. */
export interface RequestBudget {
  /**
   * Counts a request against its sender's limit.
   * @throws rate-limited (429) with the time to wait, also for a text while earlier ones exceed the limit of bytes
   */
  admit(sender: Sender, endpoint: Endpoint): Promise<void>;
  /** Counts bytes of text that were made for a sender. */
  spend(sender: Sender, bytes: number): void;
}

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

/**
 * Allowed bytes of text per second, and together before that limit applies: JSON, pages and subtitles, which the server
 * makes for each request. Sound, peaks and files are read from disk as they are, so they don't count (decision 0141).
 * A user may read the texts of a full recording eight times at once.
 */
const textAllowances = {
  user: { perSecond: 4 * mebibyte, burst: 64 * mebibyte },
  /** One network at one link. */
  listener: { perSecond: 4 * mebibyte, burst: 32 * mebibyte },
  /** One network at all links. */
  network: { perSecond: 8 * mebibyte, burst: 64 * mebibyte },
  /** All networks at one link: one that is announced to many is opened several hundred times a second. */
  link: { perSecond: 32 * mebibyte, burst: 256 * mebibyte },
} as const;
type TextKind = keyof typeof textAllowances;

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
  { principal, ip }: Sender,
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

/** Whether the server makes a text for each request. */
const isText = ({ method, replyKind, replyMediaTypes = [] }: Endpoint): boolean =>
  method === 'GET' &&
  (replyKind === undefined || replyMediaTypes.some((mediaType) => mediaType.startsWith('text/')));

/** What the texts of a sender count against. */
function textsCountedAs(
  { principal, ip }: Sender,
  isClientNetwork: IsClientNetwork,
): { key: string; kind: TextKind }[] {
  switch (principal?.kind) {
    case 'session':
      return [{ key: principal.userId, kind: 'user' }];
    case 'share':
    case 'share-locked':
    case 'share-outsider': {
      const network = countedNetwork(ip, isClientNetwork);
      const { shareId } = principal;
      const ofLink = { key: shareId, kind: 'link' } as const;
      return network === null
        ? [ofLink]
        : [ofLink, { key: network, kind: 'network' }, { key: `${shareId} ${network}`, kind: 'listener' }];
    }
    case 'upload-capability':
    case undefined:
      return [];
  }
}

/**
 * Limits reads and writes per session, and per share and network of its listeners, how fast a take may open uploads,
 * and the bytes of text per user, link and network. The counters are in memory.
 */
export function createRequestBudget(
  isClientNetwork: IsClientNetwork,
  nowMs: () => number = () => performance.now(),
): RequestBudget {
  const limiters: Record<Kind, BurstyRateLimiter> = {
    read: limiterOf(allowances.read),
    write: limiterOf(allowances.write),
    open: limiterOf(allowances.open),
  };
  const texts: Record<TextKind, ByteAllowance> = {
    user: new ByteAllowance(textAllowances.user, nowMs),
    listener: new ByteAllowance(textAllowances.listener, nowMs),
    network: new ByteAllowance(textAllowances.network, nowMs),
    link: new ByteAllowance(textAllowances.link, nowMs),
  };
  return {
    async admit(sender, endpoint) {
      const counted = countedAs(sender, endpoint, isClientNetwork);
      if (counted === null) return;
      if (isText(endpoint)) {
        const waits = textsCountedAs(sender, isClientNetwork).map(({ key, kind }) => texts[kind].waitMs(key));
        const waitMs = Math.max(0, ...waits);
        if (waitMs > 0) throw rateLimited(waitMs);
      }
      try {
        await limiters[counted.kind].consume(counted.key);
      } catch (error) {
        if (error instanceof RateLimiterRes) throw rateLimited(error.msBeforeNext);
        throw error;
      }
    },
    spend(sender, bytes) {
      for (const { key, kind } of textsCountedAs(sender, isClientNetwork)) texts[kind].spend(key, bytes);
    },
  };
}
