import type { FastifyInstance } from 'fastify';
import { matchedPath } from '#server/http/edge/matched-path.ts';
import { anyOrigin } from '#server/http/request-url.ts';

/** The keyboards of phones begin an address with a capital. */
const capitalised = '/S/*';

/** Redirects from `/S/<token>` to the page of the link at `/s/<token>`. */
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
