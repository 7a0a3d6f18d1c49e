import type { FastifyRequest } from 'fastify';
import { uploadCapabilityHeader } from '#contract/uploads-api.ts';

const bearerPattern = /^bearer +([\w\-.~+/]+=*)$/i;
/** 32 random bytes in base64url, as `capabilities.ts` generates them. */
const capabilityPattern = /^[\w-]{43}$/;

/**
 * Returns the upload capability that a request presents, or null. Our own header takes precedence over
 * `Authorization: Bearer`: a proxy may need `Authorization` for its own sign-in and often forwards it, so a value
 * that does not look like a capability belongs to the proxy.
 */
export function presentedCapability({ headers }: FastifyRequest): string | null {
  const own = headers[uploadCapabilityHeader];
  if (own !== undefined) return String(own);
  const bearer = bearerPattern.exec(headers.authorization ?? '')?.[1];
  return bearer !== undefined && capabilityPattern.test(bearer) ? bearer : null;
}
