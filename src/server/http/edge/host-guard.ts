import type { FastifyRequest } from 'fastify';
import { minute } from '#base/duration.ts';
import { isLoopback } from './loopback.ts';
import { isSharedPath, matchedPath } from './matched-path.ts';

/** Parses a Host header into a URL: lower case, without the scheme's default port. */
const urlOfHost = (host: string, protocol: string): URL | null =>
  /^[^/?#@\\]+$/.test(host) ? URL.parse(`${protocol}//${host}`) : null;

/** The host of a target in absolute form, which counts instead of the header (RFC 9112 §3.2.2); null in any other form. */
const hostOfTarget = (target: string): string | null =>
  /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1] ?? null;

/** Whether a request names its host more than once. Such a request is answered with 400 (RFC 9112 §3.2). */
export const hasSeveralHosts = ({ raw: { rawHeaders } }: FastifyRequest): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;

/** RFC 1035 §2.3.4, plus a port. */
const maxHostLength = 260;
const logEveryMs = 10 * minute;
/**
 * An attacker can invent any number of names, so only this many are logged per period, plus a note that there are
 * more.
 */
const maxLoggedHosts = 20;

/**
 * Logs requests with a wrong host, once per host in ten minutes. Only the parsed host is logged, because the raw
 * header may contain anything.
 */
function createWrongHostLog(expected: string): (request: FastifyRequest, host: string | null) => void {
  const logged = new Set<string | null>();
  let beganAtMs = -Infinity;
  return ({ log }, wholeHost) => {
    const host = wholeHost?.slice(0, maxHostLength) ?? null;
    const nowMs = performance.now();
    if (nowMs - beganAtMs >= logEveryMs) {
      logged.clear();
      beganAtMs = nowMs;
    }
    if (logged.has(host) || logged.size > maxLoggedHosts) return;
    logged.add(host);
    if (logged.size > maxLoggedHosts)
      log.warn(
        { expected },
        'requests for more wrong hosts are refused with 421; no more of them are logged for some minutes',
      );
    else
      log.warn(
        { host, expected },
        'requests for this host are refused with 421: it is not the host of PUBLIC_URL',
      );
  };
}

/**
 * Whether a request is for a shared recording, or for a file of the web app that its pages use. The address of links
 * serves nothing else, so that no session ever starts there.
 */
const isForListeners = (request: FastifyRequest): boolean =>
  isSharedPath(request) || /^\/(assets\/.+|[\w-]+\.[a-z\d]+)$/.test(matchedPath(request));

export interface HostGuard {
  /** Returns whether a request came under the configured address. */
  isOurs: (request: FastifyRequest) => boolean;
  /** Returns whether a request is served, under that address or by a route for any host. Logs a rejected one. */
  isServed: (request: FastifyRequest) => boolean;
}

/**
 * Serves only requests under the configured address: a foreign name that points at this server (DNS rebinding)
 * would share its origin with the attacker's page. If the configured address is loopback, every loopback name
 * counts, with any port, because a development server forwards requests.
 * @param shareUrl another address, for shared recordings alone
 */
export function createHostGuard(publicUrl: string, shareUrl: string | null = null): HostGuard {
  const ours = new URL(publicUrl);
  const shareHost = shareUrl === null ? null : new URL(shareUrl).host;
  const logWrongHost = createWrongHostLog(ours.host);
  const hostOf = ({ headers: { host }, raw: { url } }: FastifyRequest): URL | null =>
    urlOfHost(hostOfTarget(url ?? '') ?? host ?? '', ours.protocol);
  const isOurs = (request: FastifyRequest): boolean => {
    const requested = hostOf(request);
    if (requested === null) return false;
    return requested.host === ours.host || (isLoopback(ours) && isLoopback(requested));
  };
  return {
    isOurs,
    isServed(request) {
      if (request.routeOptions.config.isForAnyHost === true || isOurs(request)) return true;
      if (shareHost !== null && hostOf(request)?.host === shareHost && isForListeners(request)) return true;
      logWrongHost(request, hostOf(request)?.host ?? null);
      return false;
    },
  };
}
