import type { FastifyRequest } from 'fastify';
import { uploadCapabilityHeader } from '#contract/uploads-api.ts';

const bearerPattern = /^bearer +([\w\-.~+/]+=*)$/i;
/** 32 random bytes in base64url, as `capabilities.ts` makes them. */
const capabilityPattern = /^[\w-]{43}$/;

/**
 * The upload capability that a request presents; null where it presents none. A header of its own counts
 * before `Authorization: Bearer`, which other programs may use: a proxy in front needs `Authorization` for
 * its own sign-in and often passes it on, so what does not look like a capability there is the proxy's.
 */
export function presentedCapability({ headers }: FastifyRequest): string | null {
  const own = headers[uploadCapabilityHeader];
  if (own !== undefined) return String(own);
  const bearer = bearerPattern.exec(headers.authorization ?? '')?.[1];
  return bearer !== undefined && capabilityPattern.test(bearer) ? bearer : null;
}
