import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { KeyedAnswers } from './pipeline/keyed-requests.ts';
import { mountRoute } from './pipeline/mount-route.ts';
import type { Identify } from './principal.ts';
import { ProblemError } from './problem.ts';
import { replyWithProblem } from './pipeline/problem-reply.ts';
import { acceptBodiesAsBytes } from './pipeline/read-body.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import type { SessionRequests } from './session-requests.ts';
import { sessionCookieName } from './session-cookie.ts';

export type HttpApp = FastifyInstance;
export type HttpLogger = FastifyBaseLogger;

/** One finished request, for the log's and the metrics' eyes. */
export interface RequestObservation { method: string; route: string; status: number; durationMs: number }

export interface AppOptions {
  routes: Route[];
  identify: Identify;
  config: { publicUrl: string; trustedProxyHops: number };
  logger?: FastifyBaseLogger;
  /** Checks every reply against its schema; on by default outside production. */
  validateReplies?: boolean;
  sessionRequests?: SessionRequests;
  keyedAnswers?: KeyedAnswers;
  observe?: (observation: RequestObservation) => void;
  /** More routes that are no part of the contract: pages, operations. */
  plugins?: ((app: FastifyInstance) => void | Promise<void>)[];
}

const isOfTheApi = (url: string): boolean => /^\/(api|auth)(\/|\?|$)/.test(url);

/** Tells a path that exists under other methods (405 with Allow, RFC 9110 §15.5.6) from one that does not. */
function methodFinder(routes: Route[]): (path: string) => string[] {
  const known = routes.map(({ endpoint }) => ({ method: endpoint.method, pattern: new RegExp(`^${endpoint.path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`) }));
  return (path) => known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

function answerUnknownPaths(app: FastifyInstance, routes: Route[]): void {
  const methodsAt = methodFinder(routes);
  app.setNotFoundHandler((request) => {
    const methods = methodsAt(request.url.split('?', 1)[0] ?? '');
    // A path that its own method did not reach holds a part too long to name anything.
    if (methods.length > 0 && !methods.some((method) => method === request.method)) throw new ProblemError('method-not-allowed', { headers: { Allow: [...new Set(methods)].join(', ') } });
    throw new ProblemError('not-found');
  });
}

function observeRequests(app: FastifyInstance, observe: AppOptions['observe']): void {
  app.addHook('onResponse', async (request: FastifyRequest, reply) => {
    // The route's pattern, never the address: ids and query strings stay out of logs and metrics.
    const observation = { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) };
    request.log.info(observation, 'request');
    observe?.(observation);
  });
}

/** Builds the HTTP application around the features' routes; listen to it, or inject requests in tests. */
export function createApp(options: AppOptions): FastifyInstance {
  const { publicUrl, trustedProxyHops } = options.config;
  const app = fastify({
    genReqId: () => randomUUID(), requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    trustProxy: (_address, hop) => hop < trustedProxyHops,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 400 },
    // While closing, requests in flight and on open connections are still answered: nothing that was sent is dropped.
    return503OnClosing: false, forceCloseConnections: 'idle',
    frameworkErrors: replyWithProblem,
  });
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  app.decorateRequest('principal', null);
  acceptBodiesAsBytes(app);
  app.setErrorHandler(replyWithProblem);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    if (isOfTheApi(request.url)) reply.header('Cache-Control', 'no-store');
  });
  void app.register(cookie, { hook: 'onRequest' });
  observeRequests(app, options.observe);
  answerUnknownPaths(app, options.routes);
  const cookieName = sessionCookieName(publicUrl);
  const pipeline = {
    identify: options.identify, csrf: { publicOrigin: new URL(publicUrl).origin, cookieName }, validateReplies: options.validateReplies ?? process.env['NODE_ENV'] !== 'production',
    sessionRequests: options.sessionRequests ?? null, keyedAnswers: options.keyedAnswers ?? null,
  };
  void app.register(async (scope) => {
    for (const route of options.routes) mountRoute(scope, route, pipeline);
    for (const plugin of options.plugins ?? []) await plugin(scope);
  });
  return app;
}
