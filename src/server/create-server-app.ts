import type { Composed } from './compose.ts';
import { createApp, type AppOptions, type HttpApp } from './http/app.ts';
import { isOneClient, limitConnections, limitConnectionsOfAddresses } from './http/edge/descriptors.ts';
import { createRequestBudget } from './http/pipeline/request-budget.ts';
import { mountLinkSpelling } from './http/pages/link-spelling.ts';
import { mountReturn } from './http/pages/return-path.ts';

type ServerAppOptions = Pick<AppOptions, 'config' | 'logger' | 'requestBudget'> & {
  connectionLimits?: { max: number; maxPerAddress: number };
};

/** Creates the HTTP application for the composed features. Requests are limited per session unless `requestBudget` is null. */
export function createServerApp(
  features: Composed,
  {
    requestBudget = createRequestBudget((ip) => features.proxyWatch.isClientNetwork(ip)),
    connectionLimits,
    ...options
  }: ServerAppOptions,
): HttpApp {
  const { routes, identify, openRequests, keyedAnswers, proxyWatch, metrics } = features;
  const app = createApp({
    ...options,
    routes,
    identify,
    openRequests,
    keyedAnswers,
    proxyWatch,
    requestBudget,
    observe: (observation) => metrics.requestEnded(observation),
    plugins: [mountReturn, mountLinkSpelling, (scope) => features.mount(scope)],
  });
  if (connectionLimits !== undefined) {
    limitConnections(app, connectionLimits.max);
    limitConnectionsOfAddresses(app, {
      maxPerAddress: connectionLimits.maxPerAddress,
      isCounted: (peer) => isOneClient(peer, options.config),
    });
  }
  return app;
}
