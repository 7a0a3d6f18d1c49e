import type { FastifyRequest } from 'fastify';

/** Where only path and query matter: a host name that can never be real (RFC 6761 §6.4). */
export const anyOrigin = 'http://here.invalid';

/** The query of a request as it was sent, with repeated parameters. Empty if its URL can't be read. */
export const queryOf = (request: FastifyRequest): URLSearchParams =>
  URL.parse(request.url, anyOrigin)?.searchParams ?? new URLSearchParams();
