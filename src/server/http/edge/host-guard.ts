import type { FastifyRequest } from 'fastify';
import { isLoopback } from './loopback.ts';
import { ProblemError } from '../problem.ts';

/** The host and port that a Host header names, in the spelling of URLs: lower case, without the scheme's own port. */
const urlOfHost = (host: string, protocol: string): URL | null => (/^[^/?#@\\]+$/.test(host) ? URL.parse(`${protocol}//${host}`) : null);

/**
 * Answers only under the address that people use: a name that somebody else points at this server (DNS rebinding) would share its origin with a page
 * of theirs. Where that address is this machine's own, each of its loopback names counts, with any port: a development server passes requests on.
 */
export function createHostGuard(publicUrl: string): { isOurs: (request: FastifyRequest) => boolean; check: (request: FastifyRequest) => void } {
  const ours = new URL(publicUrl);
  const isOurs = ({ headers: { host } }: FastifyRequest): boolean => {
    const asked = urlOfHost(host ?? '', ours.protocol);
    if (asked === null) return false;
    return asked.host === ours.host || (isLoopback(ours) && isLoopback(asked));
  };
  return {
    isOurs,
    check(request) {
      if (request.routeOptions.config.isForAnyHost !== true && !isOurs(request)) throw new ProblemError('misdirected-request');
    },
  };
}
