import type { Composed } from '../compose.ts';
import { createApp, type AppOptions, type HttpApp } from '../http/app.ts';

/** The HTTP application over the composed features; `plugins` add what is neither a feature nor operations. */
export function createServerApp(features: Composed, options: Pick<AppOptions, 'config' | 'logger' | 'plugins'>): HttpApp {
  const { routes, identify, sessionRequests, keyedAnswers, metrics } = features;
  return createApp({
    ...options, routes, identify, sessionRequests, keyedAnswers,
    observe: (observation) => metrics.requestEnded(observation),
    plugins: [(scope) => features.mount(scope), ...options.plugins ?? []],
  });
}
