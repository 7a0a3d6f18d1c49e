import type { FastifyRequest } from 'fastify';
import { BoundedMap } from '#base/bounded-map.ts';
import { isInternal } from './internal-network.ts';
import { createHostGuard } from './host-guard.ts';
import { isLoopback } from './loopback.ts';

/**
 * What is wrong about the proxy in front: its X-Forwarded-For is not read (`untrusted`), holds fewer
 * addresses than proxies are trusted (`too-few`), or is not sent (`header-missing`).
 */
export type ProxyProblem = 'untrusted' | 'too-few' | 'header-missing';
export interface ProxyFinding {
  problem: ProxyProblem;
  trustedHops: number;
  forwardedCount: number;
}

const mostAddresses = 10_000;

const forwardedCountOf = ({ headers: { 'x-forwarded-for': header } }: FastifyRequest): number =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .filter((address) => address.trim() !== '').length;

/**
 * Notices that TRUSTED_PROXY_HOPS does not fit what the proxy in front sends. Until it does, the address of a
 * request may be the proxy's, which all clients share, or one that a client made up: limits per network must
 * not count it.
 */
export class ProxyWatch {
  readonly #trustedHops: number;
  readonly #isPublic: boolean;
  readonly #isOurs: (request: FastifyRequest) => boolean;
  readonly #sharedAddresses = new BoundedMap<string, true>(mostAddresses);
  #finding: ProxyFinding | null = null;

  constructor({ publicUrl, trustedProxyHops }: { publicUrl: string; trustedProxyHops: number }) {
    this.#trustedHops = trustedProxyHops;
    this.#isPublic = !isLoopback(new URL(publicUrl));
    this.#isOurs = createHostGuard(publicUrl).isOurs;
  }

  /** What is wrong, as the latest request showed that showed anything. */
  get finding(): ProxyFinding | null {
    return this.#finding;
  }

  /** Whether an address stands for one client's network, so that limits may count it. */
  isClientNetwork(ip: string): boolean {
    return this.#sharedAddresses.get(ip) === undefined;
  }

  /** Looks at the headers of a request. */
  observe(request: FastifyRequest): void {
    const forwardedCount = forwardedCountOf(request);
    const peer = request.socket.remoteAddress ?? '';
    const problem =
      forwardedCount > 0 ? this.#problemOfHeader(forwardedCount) : this.#problemWithoutHeader(request, peer);
    if (problem === null) return;
    if (this.#finding?.problem !== problem)
      request.log.warn(
        { problem, trustedProxyHops: this.#trustedHops, forwardedAddresses: forwardedCount },
        'the proxy in front and TRUSTED_PROXY_HOPS do not match: limits per network are off for these requests',
      );
    this.#finding = { problem, trustedHops: this.#trustedHops, forwardedCount };
    // A client on the internet that makes the header up is counted by its own address.
    if (problem === 'too-few' || isInternal(peer)) this.#sharedAddresses.set(request.ip, true);
  }

  #problemOfHeader(forwardedCount: number): ProxyProblem | null {
    if (this.#trustedHops === 0) return 'untrusted';
    return forwardedCount < this.#trustedHops ? 'too-few' : null;
  }

  /**
   * This server speaks no TLS, so what asks for a public address from inside is a proxy. Health checks and
   * scrapers call by other names.
   */
  #problemWithoutHeader(request: FastifyRequest, peer: string): ProxyProblem | null {
    const isProxied =
      this.#isPublic &&
      request.routeOptions.config.isForAnyHost !== true &&
      isInternal(peer) &&
      this.#isOurs(request);
    return isProxied ? 'header-missing' : null;
  }
}
