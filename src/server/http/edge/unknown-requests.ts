import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#server/http/problem.ts';
import type { Route } from '#server/http/route.ts';
import { matchedPath } from './matched-path.ts';

/** Every other method that Node's parser accepts (QUERY, PROPFIND, M-SEARCH …) is not supported at any URL. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);
/** The methods of a page's URL. */
const pageMethods = ['GET', 'HEAD'];

const notAllowed = (methods: readonly string[]): ProblemError =>
  new ProblemError('method-not-allowed', { headers: { Allow: [...new Set(methods)].join(', ') } });

/** Finds the methods that the contract defines for a path. */
function methodFinder(routes: readonly Route[]): (path: string) => string[] {
  const known = routes.map(({ endpoint }) => ({
    method: endpoint.method,
    pattern: new RegExp(`^${endpoint.path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`),
  }));
  return (path) => known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

/**
 * Distinguishes a path that exists under other methods (405 with Allow, RFC 9110 §15.5.6) from an unknown path
 * (404).
 */
export function answerUnknownRequests(app: FastifyInstance, routes: readonly Route[]): void {
  const methodsAt = methodFinder(routes);
  // Runs before the body is read, because the framework has different errors for the bodies of such requests.
  app.addHook('onRequest', async (request) => {
    if (knownMethods.has(request.method)) return;
    const methods = methodsAt(matchedPath(request));
    throw notAllowed(methods.length > 0 ? methods : pageMethods);
  });
  app.setNotFoundHandler((request) => {
    const methods = methodsAt(matchedPath(request));
    // If the method is right but its route did not match, a path segment is too long.
    if (methods.length > 0 && !methods.some((method) => method === request.method)) throw notAllowed(methods);
    throw new ProblemError('not-found');
  });
}
