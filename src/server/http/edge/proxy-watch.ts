import type { FastifyRequest } from 'fastify';
import { BoundedMap } from '#base/bounded-map.ts';
import { isInternal } from './internal-network.ts';
import { createHostGuard } from './host-guard.ts';
import { isLoopback } from './loopback.ts';

/**
 * Misconfiguration of the reverse proxy: its X-Forwarded-For is ignored (`untrusted`), has fewer addresses than
 * trusted proxies (`too-few`), or is missing (`header-missing`).
 */
export type ProxyProblem = 'untrusted' | 'too-few' | 'header-missing';
export interface ProxyFinding {
  problem: ProxyProblem;
  trustedHops: number;
  forwardedCount: number;
}

const maxAddresses = 10_000;

const forwardedCountOf = ({ headers: { 'x-forwarded-for': header } }: FastifyRequest): number =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .filter((address) => address.trim() !== '').length;

/**
 * Detects that TRUSTED_PROXY_HOPS does not match the headers of the reverse proxy. Until it is corrected, the
 * address of a request may be the proxy's, shared by all clients, or invented by a client: limits per network must
 * not count it.
 */
export class ProxyWatch {
  readonly #trustedHops: number;
  readonly #isPublic: boolean;
  readonly #isOurs: (request: FastifyRequest) => boolean;
  readonly #sharedAddresses = new BoundedMap<string, true>(maxAddresses);
  #finding: ProxyFinding | null = null;

  constructor({ publicUrl, trustedProxyHops }: { publicUrl: string; trustedProxyHops: number }) {
    this.#trustedHops = trustedProxyHops;
    this.#isPublic = !isLoopback(new URL(publicUrl));
    this.#isOurs = createHostGuard(publicUrl).isOurs;
  }

  /** The latest problem that a request revealed; null if none did. */
  get finding(): ProxyFinding | null {
    return this.#finding;
  }

  /** Returns whether an address represents one client's network, so that limits may count it. */
  isClientNetwork(ip: string): boolean {
    return this.#sharedAddresses.get(ip) === undefined;
  }

  /** Checks the headers of a request. */
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
    // A client on the internet that invents the header is still counted by its own address.
    if (problem === 'too-few' || isInternal(peer)) this.#sharedAddresses.set(request.ip, true);
  }

  #problemOfHeader(forwardedCount: number): ProxyProblem | null {
    if (this.#trustedHops === 0) return 'untrusted';
    return forwardedCount < this.#trustedHops ? 'too-few' : null;
  }

  /**
   * This server does not speak TLS, so an internal peer that uses the public host is a proxy. Health checks and
   * scrapers use other host names.
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
