import type { FastifyRequest } from 'fastify';
import { minute } from '#base/duration.ts';
import { isLoopback } from './loopback.ts';

/**
 * The host and port that a Host header names, in the spelling of URLs: lower case, without the scheme's own
 * port.
 */
const urlOfHost = (host: string, protocol: string): URL | null =>
  /^[^/?#@\\]+$/.test(host) ? URL.parse(`${protocol}//${host}`) : null;

/** RFC 1035 §2.3.4, and a port. */
const longestHost = 260;
const logEveryMs = 10 * minute;
/**
 * Names nobody has heard of cost an attacker nothing: so many are written down in that time, and that there
 * are more.
 */
const mostLoggedHosts = 20;

/**
 * Writes down that requests come under a wrong host, once for each in ten minutes. Only the host that was
 * read is named: what else stood there may be anything.
 */
function createWrongHostLog(expected: string): (request: FastifyRequest, host: string | null) => void {
  const logged = new Set<string | null>();
  let beganAtMs = -Infinity;
  return ({ log }, wholeHost) => {
    const host = wholeHost?.slice(0, longestHost) ?? null;
    const nowMs = performance.now();
    if (nowMs - beganAtMs >= logEveryMs) {
      logged.clear();
      beganAtMs = nowMs;
    }
    if (logged.has(host) || logged.size > mostLoggedHosts) return;
    logged.add(host);
    if (logged.size > mostLoggedHosts)
      log.warn(
        { expected },
        'requests under yet more wrong hosts are refused with 421; no more of them are named for some minutes',
      );
    else
      log.warn(
        { host, expected },
        'requests under this host are refused with 421: it is not that of PUBLIC_URL',
      );
  };
}

export interface HostGuard {
  /** Whether a request came under the address that people use. */
  isOurs: (request: FastifyRequest) => boolean;
  /** Whether it is answered: under that address, or by a route for any host. Writes down one that is not. */
  isServed: (request: FastifyRequest) => boolean;
}

/**
 * Answers only under the address that people use: a name that somebody else points at this server (DNS
 * rebinding) would share its origin with a page of theirs. Where that address is this machine's own, each of
 * its loopback names counts, with any port: a development server passes requests on.
 */
export function createHostGuard(publicUrl: string): HostGuard {
  const ours = new URL(publicUrl);
  const logWrongHost = createWrongHostLog(ours.host);
  const hostOf = ({ headers: { host } }: FastifyRequest): URL | null => urlOfHost(host ?? '', ours.protocol);
  const isOurs = (request: FastifyRequest): boolean => {
    const asked = hostOf(request);
    if (asked === null) return false;
    return asked.host === ours.host || (isLoopback(ours) && isLoopback(asked));
  };
  return {
    isOurs,
    isServed(request) {
      if (request.routeOptions.config.isForAnyHost === true || isOurs(request)) return true;
      logWrongHost(request, hostOf(request)?.host ?? null);
      return false;
    },
  };
}
