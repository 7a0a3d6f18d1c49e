import type { FastifyInstance } from 'fastify';
import { matchedPath } from '#server/http/edge/matched-path.ts';

/** Only path and query matter; the host name can never be real (RFC 6761 §6.4). */
const anyOrigin = 'http://here.invalid';
/** The keyboards of phones begin an address with a capital. */
const capitalised = '/S/*';

/**
 * Leads from `/S/<token>` to the page of the link at `/s/<token>`, which is the same for a person. */
export function mountLinkSpelling(app: FastifyInstance): void {
  app.get(capitalised, (request, reply) =>
    reply
      .code(308)
      .header(
        'Location',
        `/s${encodeURI(matchedPath(request))}${URL.parse(request.url, anyOrigin)?.search ?? ''}`,
      )
      .send(),
  );
}
