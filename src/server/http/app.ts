import cookie from '@fastify/cookie';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify';
import { minute, second } from '#base/duration.ts';
import { createHostGuard, hasSeveralHosts } from './edge/host-guard.ts';
import { isSharedPath } from './edge/matched-path.ts';
import type { ProxyWatch } from './edge/proxy-watch.ts';
import { createConnectionRejection } from './edge/rejected-connection.ts';
import { requestIdOf } from './edge/request-id.ts';
import { answerUnknownRequests } from './edge/unknown-requests.ts';
import type { KeyedAnswers } from './pipeline/keyed-requests.ts';
import { mountRoute } from './pipeline/mount-route.ts';
import type { RequestBudget } from './pipeline/request-budget.ts';
import type { OpenRequests } from './open-requests.ts';
import type { Identify } from './principal.ts';
import { isNavigation, sendOtherAddress } from './pages/other-address-page.ts';
import { ProblemError } from './problem.ts';
import { replyWithProblem } from './pipeline/problem-reply.ts';
import { acceptBodiesAsBytes } from './pipeline/read-body.ts';
import type { Route } from './route.ts';
import { securityHeaders, sharedHeaders } from './security-headers.ts';
import { sessionCookieName } from './session-cookie.ts';

export type HttpApp = FastifyInstance;
export type HttpLogger = FastifyBaseLogger;

/**
 * The whole request must arrive within this time. An append is at most 1 MiB, and recorders send smaller pieces on
 * slow connections.
 */
const maxRequestMs = minute;
const maxHeadersMs = 20 * second;
const timeoutCheckEveryMs = 10 * second;

/** One finished request, for logs and metrics. */
export interface RequestObservation {
  method: string;
  route: string;
  status: number;
  durationMs: number;
}

export interface AppOptions {
  routes: readonly Route[];
  identify: Identify;
  config: { publicUrl: string; shareUrl?: string | null; trustedProxyHops: number };
  logger?: FastifyBaseLogger;
  /** Checks every reply against its schema; on by default outside production. */
  validateReplies?: boolean;
  openRequests?: OpenRequests;
  keyedAnswers?: KeyedAnswers;
  requestBudget?: RequestBudget | null;
  proxyWatch?: ProxyWatch;
  observe?: (observation: RequestObservation) => void;
  /** Further routes outside the contract: pages, operations. */
  plugins?: ((app: FastifyInstance) => void | Promise<void>)[];
}

function observeRequests(app: FastifyInstance, observe: AppOptions['observe']): void {
  app.addHook('onResponse', async (request: FastifyRequest, reply) => {
    // Logs the route's pattern instead of the URL: ids and query strings must stay out of logs and metrics.
    const observation = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
    };
    request.log.info(observation, 'request');
    observe?.(observation);
  });
}

/** Builds the HTTP application around the features' routes, for listening or for injecting requests in tests. */
export function createApp(options: AppOptions): FastifyInstance {
  const { publicUrl, shareUrl = null, trustedProxyHops } = options.config;
  const headers = securityHeaders({ https: publicUrl.startsWith('https:') });
  const app = fastify({
    genReqId: requestIdOf({ trustedProxyHops }),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    trustProxy: (_address, hop) => hop < trustedProxyHops,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 400 },
    // While closing, the server still answers requests in flight and on open connections, so that none is dropped.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: maxRequestMs,
    http: { headersTimeout: maxHeadersMs, connectionsCheckingInterval: timeoutCheckEveryMs },
    clientErrorHandler: createConnectionRejection(headers),
    // No hook runs for a URL that cannot be routed.
    frameworkErrors: (error, request, reply) => {
      replyWithProblem(error, request, reply.headers(headers).header('x-request-id', request.id));
    },
  });
  app.decorateRequest('principal', null);
  acceptBodiesAsBytes(app);
  app.setErrorHandler(replyWithProblem);
  const hostGuard = createHostGuard(publicUrl, shareUrl);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (isSharedPath(request)) reply.headers(sharedHeaders);
    if (hasSeveralHosts(request)) throw new ProblemError('malformed-request');
    if (!hostGuard.isServed(request)) {
      if (!isNavigation(request)) throw new ProblemError('misdirected-request');
      sendOtherAddress(request, reply, publicUrl);
      return reply;
    }
    options.proxyWatch?.observe(request);
    return undefined;
  });
  void app.register(cookie, { hook: 'onRequest' });
  observeRequests(app, options.observe);
  answerUnknownRequests(app, options.routes);
  const cookieName = sessionCookieName(publicUrl);
  const pipeline = {
    identify: options.identify,
    csrf: { publicUrl, publicOrigin: new URL(publicUrl).origin, cookieName },
    validateReplies: options.validateReplies ?? process.env['NODE_ENV'] !== 'production',
    openRequests: options.openRequests ?? null,
    keyedAnswers: options.keyedAnswers ?? null,
    requestBudget: options.requestBudget ?? null,
  };
  void app.register(async (scope) => {
    for (const route of options.routes) mountRoute(scope, route, pipeline);
    for (const plugin of options.plugins ?? []) await plugin(scope);
  });
  return app;
}
