import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Only UUIDs: the id goes into logs, and into the `instance` by which the app recognizes problems of this server. */
const acceptedId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Returns the function that identifies requests in logs and problems. The id in `X-Request-Id` is used only behind a
 * trusted proxy, whose log then has the same one.
 */
export const requestIdOf =
  ({ trustedProxyHops }: { trustedProxyHops: number }) =>
  ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id'];
    return trustedProxyHops > 0 && typeof given === 'string' && acceptedId.test(given) ? given : randomUUID();
  };
