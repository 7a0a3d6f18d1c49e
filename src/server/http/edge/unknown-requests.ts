import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#server/http/problem.ts';
import type { Route } from '#server/http/route.ts';
import { matchedPath } from './matched-path.ts';

/**
 * Every other method that Node's parser accepts (QUERY, PROPFIND, M-SEARCH …) is of no use at any address.
 */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);
/** What a page's address answers. */
const pageMethods = ['GET', 'HEAD'];

const notAllowed = (methods: readonly string[]): ProblemError =>
  new ProblemError('method-not-allowed', { headers: { Allow: [...new Set(methods)].join(', ') } });

/** Which methods the contract has at a path. */
function methodFinder(routes: Route[]): (path: string) => string[] {
  const known = routes.map(({ endpoint }) => ({
    method: endpoint.method,
    pattern: new RegExp(`^${endpoint.path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`),
  }));
  return (path) => known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

/**
 * Tells a path that exists under other methods (405 with Allow, RFC 9110 §15.5.6) from one that does not
 * (404).
 */
export function answerUnknownRequests(app: FastifyInstance, routes: Route[]): void {
  const methodsAt = methodFinder(routes);
  // Before a body is read: the framework has errors of its own for the bodies of such requests.
  app.addHook('onRequest', async (request) => {
    if (knownMethods.has(request.method)) return;
    const methods = methodsAt(matchedPath(request));
    throw notAllowed(methods.length > 0 ? methods : pageMethods);
  });
  app.setNotFoundHandler((request) => {
    const methods = methodsAt(matchedPath(request));
    // A path that its own method did not reach holds a part too long to name anything.
    if (methods.length > 0 && !methods.some((method) => method === request.method)) throw notAllowed(methods);
    throw new ProblemError('not-found');
  });
}
